import { cookieOf, readCookie } from '../auth/cookies'
import type { Host } from '../auth/hosts'
import { keptDocuments } from '../auth/kept'
import { csrfTokenOf, isRecent, type Person, type Session, type Sessions } from '../auth/sessions'
import type { Clock } from '../clock'
import { Refusal } from '../contracts/errors'
import type { RequestState } from '../gateway/request'
import type { Documents } from '../stores/documents/port'
import { Agency } from '../tenancy/Agency'
import { User } from '../tenancy/User'
import type { Page, Visit } from './define-page'
import { type Explained, faultPage } from './fault-page'
import { checkForm, type Form, newVisit, readForm } from './forms'
import { bareFrame, frameOf } from './frame'
import { renderPage } from './page'

export interface PageDeps {
  readonly documents: Documents
  readonly clock: Clock
  readonly sessions: Sessions
  /** In the order in which the bar names them. */
  readonly pages: readonly Page[]
  /** Logs what went wrong and answers its status and the words that may be shown. */
  explain(error: unknown, state: RequestState): Explained
}

/** Everything under /app. */
export interface Pages {
  /** The whole table, for whoever proves something of every page. */
  readonly table: readonly Page[]
  fetch(request: Request, state: RequestState): Promise<Response>
}

const noForm: Form = { get: () => '', all: () => [] }

/** The table of pages: who is asking, whether the form is ours, and then the handler. */
export function createPages(deps: PageDeps): Pages {
  const { documents, clock, sessions, pages } = deps
  const byPath = Map.groupBy(pages, ({ path }) => path)
  const userRow = keptDocuments(documents.collection(User))
  const agencyRow = keptDocuments(documents.collection(Agency))
  const brandOf = async ({ agency_id }: Host) =>
    agency_id === null ? 'Renown' : (((await agencyRow(agency_id))?.name as string | undefined) ?? '')

  const answer = async (request: Request, state: RequestState, host: Host, visit: Opened) => {
    const known = byPath.get(state.path)
    if (!known) throw new Refusal('not_found', 'There is no page at this address.')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const page = known.find((each) => each.method === method)
    if (!page) throw new Refusal('method_not_allowed', 'This address is not asked like that.')
    const { session } = visit
    const form = method === 'POST' ? await readForm(request) : noForm
    const here =
      method === 'GET' ? `${state.path}${state.search && `?${state.search}`}` : (page.back ?? page.path)
    if (page.auth !== 'none') {
      if (!session || !visit.person) return visit.redirect(`/app/sign-in?next=${encodeURIComponent(here)}`)
      if (method === 'POST') await checkForm(form, session, request, host)
      if (page.auth === 'recent' && !isRecent(session, clock.now()))
        return visit.redirect(`/app/confirm?next=${encodeURIComponent(here)}`)
      return page.handle({ ...visit, form, session, person: visit.person })
    }
    if (method === 'POST') await checkForm(form, session, request, host)
    return page.handle({ ...visit, form })
  }

  return {
    table: pages,
    async fetch(request, state) {
      const { host } = state
      if (!host) throw new Refusal('host_not_served', 'Renown does not answer on this host.')
      // A store that is away must not leave a person before a page for programs.
      let page: Visit['page'] = (input) => renderPage({ ...input, host, frame: bareFrame(host) })
      try {
        const session = await sessions.of(request)
        const person = session && ((await userRow(session.user_id)) as Person | null)
        const brand = await brandOf(host)
        const visit = await openVisit({ request, state, host, session, person, brand, pages })
        page = visit.page
        return visit.keep(await answer(request, state, host, visit))
      } catch (error) {
        return faultPage(page, state.id, deps.explain(error, state))
      }
    },
  }
}

interface Opened extends Visit {
  /** Adds the cookie under which a visitor's forms are known, where there was none. */
  keep(response: Response): Response
}

interface Around {
  readonly request: Request
  readonly state: RequestState
  readonly host: Host
  readonly session: Session | null
  readonly person: Person | null
  readonly brand: string
  readonly pages: readonly Page[]
}

async function openVisit({ pages, ...around }: Around): Promise<Opened> {
  const { request, state, host, session, brand } = around
  const known = session ? null : readCookie(request, 'visit', host)
  const fresh = session || known !== null ? null : newVisit()
  const csrf = session?.csrf_token ?? (await csrfTokenOf(known ?? fresh ?? ''))
  const frame = frameOf({ host, brand, path: state.path, csrf, isSignedIn: session !== null, pages })
  const withCookies = (response: Response, cookies: readonly string[]) => {
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    return response
  }
  return {
    ...around,
    query: new URLSearchParams(state.search),
    form: noForm,
    csrf,
    page: (input) => renderPage({ ...input, host, frame }),
    redirect: (to, cookies = []) =>
      withCookies(
        new Response(null, { status: 303, headers: { location: to, 'cache-control': 'no-store' } }),
        cookies,
      ),
    keep: (response) => withCookies(response, fresh === null ? [] : [cookieOf('visit', fresh, host)]),
  }
}
