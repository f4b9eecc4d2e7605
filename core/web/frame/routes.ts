import { isRecent, type Person, type Session, type Sessions } from '../../auth/sessions'
import { Refusal } from '../../contracts/errors'
import type { NavCount } from '../../contracts/page'
import { trimTrailing } from '../../contracts/trim-trailing'
import type { StreamLoad } from '../../http/metrics'
import { addressIn, baseOf, splitAddress } from '../../kit/page-addresses'
import type { Clock } from '../../process/clock'
import { StartError } from '../../process/start-error'
import { prefers } from '../../requests/accept'
import type { Host } from '../../requests/host'
import type { Limits } from '../../requests/limits'
import type { RequestState } from '../../requests/request'
import { wrongMethod } from '../../requests/wrong-method'
import type { Documents } from '../../stores/documents/port'
import { cachedDocuments } from '../../stores/documents/read-cache'
import { Agency } from '../../tenancy/Agency'
import { User } from '../../tenancy/User'
import { currentWork } from '../../work/scope'
import { type Asset, assetAnswer } from '../framework/assets'
import type { Bundle } from '../framework/bundle'
import { backTo, checkForm, noForm, packForm, readForm } from '../framework/forms'
import { shareReads } from '../framework/page-context'
import { namesRecord } from '../framework/page-references'
import { createPageShares } from '../framework/page-shares'
import { mayOpen, type PageReader, type Route, type SignedIn, type Visit } from '../framework/route'
import type { WorkspaceAccess } from '../framework/workspace-access'
import { askForPassword } from './ask-for-password'
import { deskAssets } from './desk/desk-asset'
import { lookOf } from './desk/look'
import { navPages } from './desk/navigation'
import type { OpenStep, SetupSteps } from './desk/setup-steps'
import { type Explained, faultAnswer, faultPage } from './fault-page'
import { bareFrame } from './frame'
import { renderPage } from './page'
import { styleAssets } from './style/sheet'
import { choicesMax } from './switcher'
import { type Opened, openVisit } from './visit'

export interface PageDeps {
  readonly documents: Documents
  readonly clock: Clock
  readonly sessions: Sessions
  readonly places: WorkspaceAccess
  readonly bundle: Bundle
  /** Files that single pages need, by address. */
  readonly assets: ReadonlyMap<string, Asset>
  /** Counts page requests. */
  readonly limits: Pick<Limits, 'count'>
  /** The pages, in the order of the navigation, unless a page sets its own order. */
  readonly pages: readonly Route[]
  readonly steps: SetupSteps
  /** Returns how many live streams are open. */
  streams(): StreamLoad
  /** Logs an error and returns its status and the text that people may see. */
  explain(error: unknown, state: RequestState): Explained
}

/** Everything under /app. */
export interface Pages {
  /** The whole page table, for tests of every page. */
  readonly table: readonly Route[]
  streams(): StreamLoad
  fetch(request: Request, state: RequestState): Promise<Response>
  /** Returns the error page for a request that matched no page. */
  fault(error: unknown, request: Request, state: RequestState & { readonly host: Host }): Response
}

/** The table of pages: checks the person and the form, then calls the handler. */
export function createPages(deps: PageDeps): Pages {
  const { documents, sessions, places, pages } = deps
  const shares = createPageShares(deps.limits)
  const assets = new Map<string, Asset>([
    ...deps.bundle.assets,
    ...styleAssets,
    ...deskAssets,
    ...deps.assets,
  ])
  checkAddresses(pages)
  const answer = createAnswer(deps)
  const userRow = cachedDocuments(documents.collection(User))
  const agencyRow = cachedDocuments(documents.collection(Agency))
  const brandOf = async ({ agency_id }: Host) =>
    agency_id === null ? 'Renown' : (((await agencyRow(agency_id))?.name as string | undefined) ?? '')

  /**
   * Returns the workspace of a request: the one that its address names, otherwise the one that the person opened last. Null for
   * an address with a workspace that the person cannot open.
   */
  const placeOf = async (person: Person, session: Session, named: string | null, isPage: boolean) => {
    if (named === null) return places.current(person, session)
    const place = await places.find(person, named)
    if (place && isPage && place.id !== session.chosen_workspace_id) await sessions.choose(session, place.id)
    return place
  }

  return {
    table: pages,
    streams: deps.streams,
    fault(error, request, state) {
      const { host } = state
      const frame = bareFrame(host, lookOf(request, host))
      return faultPage((input) => renderPage({ ...input, host, frame }), state.id, deps.explain(error, state))
    },
    async fetch(request, asked) {
      const { host } = asked
      if (!host) throw new Refusal('host_not_served', 'Renown does not answer on this host.')
      const asset = assetAnswer(assets, asked.path, request)
      if (asset) return asset
      const { path, workspaceId: named } = splitAddress(asked.path)
      const state = { ...asked, path }
      if (request.method !== 'POST') shareReads(state)
      // If the store fails, people still get an error page, not an answer for programs.
      let page: Visit['page'] = (input) =>
        renderPage({ ...input, host, frame: bareFrame(host, lookOf(request, host)) })
      try {
        const session = await sessions.of(request, host)
        const person = session && (await userRow(session.user_id))
        if (request.method === 'POST') currentWork().commit()
        const make = async () => {
          const brand = await brandOf(host)
          const hasBar = person !== null && !isForScripts(request, state)
          const opened = session && person ? await placeOf(person, session, named, hasBar) : null
          const isClosed = person !== null && named !== null && opened === null
          const place = session && isClosed ? await places.current(person, session) : opened
          const base = named === null ? '' : baseOf(place?.id ?? named)
          const choices = hasBar ? await places.list(person, choicesMax + 1) : []
          const who = { person, place, state, host }
          const [counts, steps] = hasBar ? await barOf(deps, who as PageReader) : noBar
          const now = deps.clock.now()
          const around = { ...who, request, session, brand, choices, pages, counts, steps, now, base }
          const visit = await openVisit(around)
          page = visit.page
          if (isClosed) throw closed()
          try {
            return visit.keep(await answer(request, state, host, visit))
          } finally {
            if (person && request.method === 'POST') deps.steps.forget(person.agency_id)
          }
        }
        return await (person ? shares.run(state, person, make) : make())
      } catch (error) {
        const explained = deps.explain(error, state)
        return isForScripts(request, state)
          ? faultAnswer(explained, state.id)
          : faultPage(page, state.id, explained)
      }
    },
  }
}

/** Finds the requested page, checks who may see it, and answers with it. */
function createAnswer({ pages, clock, explain }: PageDeps) {
  const byPath = Map.groupBy(pages, ({ path }) => path)
  return async (request: Request, state: RequestState, host: Host, visit: Opened): Promise<Response> => {
    const known = byPath.get(state.path)
    if (!known) {
      const trimmed = trimTrailing(state.path, '/')
      if (request.method === 'GET' && byPath.has(trimmed)) {
        return leadTo(`${trimmed}${state.search && `?${state.search}`}`, request, visit)
      }
      throw new Refusal('not_found', 'There is no page at this address.')
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const page = known.find((each) => each.method === method)
    if (!page) {
      // After a refused form, the address bar can hold the address of the form.
      if (method === 'GET' && !isForScripts(request, state))
        return visit.redirect(pageAbove(pages, state.path))
      throw wrongMethod(
        state,
        known.map(({ method }) => method),
      )
    }
    const { session, person } = visit
    const form = method === 'POST' && !page.isProvedByLink ? await readForm(request, page.file) : noForm
    if (page.auth === 'none') {
      if (method === 'POST' && !page.isProvedByLink) await checkForm(form, session, request, host)
      return page.handle({ ...visit, form })
    }
    const back =
      method === 'GET'
        ? `${state.path}${state.search && `?${state.search}`}`
        : backTo(page.back ?? page.path, form.get('back'))
    const next = visit.at(back)
    if (!session || !person) return leadTo(`/app/sign-in?next=${encodeURIComponent(next)}`, request, visit)
    if (method === 'POST') await checkForm(form, session, request, host)
    checkRole(page, person)
    const pass: SignedIn['pass'] = async (path, held, renewed) => {
      const again = await visit.again(renewed, path)
      try {
        const to = byPath.get(path)?.find((each) => each.method === 'POST')
        if (to?.auth !== 'recent') throw new Refusal('not_found', 'There is no page at this address.')
        checkRole(to, person)
        return await to.handle({ ...again, form: held, session: renewed, person, pass })
      } catch (error) {
        return faultPage(again.page, state.id, explain(error, state))
      }
    }
    const signedIn = { ...visit, form, session, person, pass }
    if (page.auth === 'session' || isRecent(session, clock.now())) return handled(page, signedIn)
    const held = method === 'POST' && !wantsJson(request) ? packForm(form) : null
    return held === null
      ? leadTo(`/app/confirm?next=${encodeURIComponent(next)}`, request, visit)
      : askForPassword(signedIn, { next, to: page.path, held })
  }
}

/**
 * Answers with a page. A browser that asks for a page without a workspace is led to the address that names it. An address with
 * the id of a record leads to the workspace of that record, which only the page itself can find.
 */
async function handled(page: SessionPage, visit: SignedIn): Promise<Response> {
  const { request, state, place, query } = visit
  const asked = `${state.path}${state.search && `?${state.search}`}`
  const named = place === null ? asked : addressIn(baseOf(place.id), asked)
  const isLed = page.method === 'GET' && !visit.isNamed && named !== asked && isOfBrowser(request)
  if (!isLed || page.forScripts) return page.handle(visit)
  const answer = namesRecord(query) ? await page.handle(visit) : null
  return answer === null || answer.status === 200 ? visit.redirect(named) : answer
}

type SessionPage = Extract<Route, { readonly auth: 'session' | 'recent' }>

/** Whether a browser asks for a page to show. It names HTML. */
const isOfBrowser = (request: Request) =>
  prefers(request.headers.get('accept'), 'text/html', 'application/json')

const closed = () =>
  new Refusal(
    'not_in_workspace',
    'This address is of a workspace that does not exist, or that you cannot open. Ask an owner for access, or choose another workspace.',
  )

/** Returns the path of the page in the navigation that an address is below. */
const pageAbove = (pages: readonly Route[], path: string): string =>
  pages
    .filter((page) => page.method === 'GET' && page.nav !== undefined && path.startsWith(`${page.path}/`))
    .reduce((longest, page) => (page.path.length > longest.length ? page.path : longest), '/app')

type Bar = readonly [counts: ReadonlyMap<string, NavCount>, steps: readonly OpenStep[]]
const noBar: Bar = [new Map(), []]

/** Returns what the side bar shows of a workspace: counts, and what is left to set up. */
const barOf = (deps: PageDeps, who: PageReader): Promise<Bar> =>
  Promise.all([countsOf(deps, who), deps.steps.open(deps.pages, who)])

/** Returns the counts of the navigation. A count that fails is logged, and shown as unknown. */
async function countsOf(
  { pages, explain }: PageDeps,
  who: PageReader,
): Promise<ReadonlyMap<string, NavCount>> {
  const counted = await Promise.all(
    navPages(pages, who.person).map(async ({ path, count }) => {
      try {
        return [path, (await count?.(who)) ?? 0] as const
      } catch (error) {
        explain(error, who.state)
        return [path, { atLeast: 0 }] as const
      }
    }),
  )
  return new Map(counted)
}

function checkRole(page: Route, person: Person): void {
  if (mayOpen(page, person)) return
  if (page.only === undefined) throw new Refusal('not_found', 'There is no page at this address.')
  throw new Refusal(
    'owner_only',
    'Only owners can open this page. Ask an owner if you need something from it.',
  )
}

/**
 * Redirects people to the password form. A script that sent a form gets the address in the answer, because it
 * cannot see redirects.
 */
const leadTo = (to: string, request: Request, { redirect, at }: Visit): Response =>
  request.method === 'POST' && wantsJson(request)
    ? Response.json(
        { ok: false, fault: 'Enter your password to continue.', to: at(to) },
        { status: 401, headers: { 'cache-control': 'no-store' } },
      )
    : redirect(to)

const wantsJson = (request: Request) =>
  prefers(request.headers.get('accept'), 'application/json', 'text/html')

/** Whether a script sent the request. Scripts get no error page. */
const isForScripts = (request: Request, { path }: RequestState) =>
  path.startsWith('/app/data/') || path.startsWith('/app/events/') || wantsJson(request)

/** Throws if two pages have the same address. */
function checkAddresses(pages: readonly Route[]): void {
  const seen = new Set<string>()
  for (const { method, path } of pages) {
    const address = `${method} ${path}`
    if (seen.has(address)) throw new StartError(`Two pages have the address ${address}`)
    seen.add(address)
  }
}
