import { cookieOf, readCookie } from '../../auth/cookies'
import { csrfTokenOf, type Person, type Session } from '../../auth/sessions'
import type { NavCount } from '../../contracts/page'
import { oncePer } from '../../kit/once-per'
import { addressIn } from '../../kit/page-addresses'
import type { Host } from '../../requests/host'
import type { RequestState } from '../../requests/request'
import { newVisit, noForm } from '../framework/forms'
import { maskToken } from '../framework/masked-token'
import type { Route, Visit } from '../framework/route'
import type { VisibleWorkspace } from '../framework/workspace-access'
import { lookOf } from './desk/look'
import type { OpenStep } from './desk/setup-steps'
import { frameOf } from './frame'
import { renderPage } from './page'

const redirected = (location: string) =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })

/** The pages for people who are not signed in. Their addresses name no workspace. */
const openPaths = oncePer(
  (pages: readonly Route[]) => new Set(pages.filter(({ auth }) => auth === 'none').map(({ path }) => path)),
)

/** A visit that can go on at another page. */
export interface Opened extends Visit {
  /** Adds the cookie for a visitor's forms, if it is missing. */
  keep(response: Response): Response
  /** Opens another page in the same visit, with the new session. */
  again(session: Session, path: string): Promise<Opened>
}

/** A request, its person and workspace, and the parts around its page. */
export interface Around {
  readonly request: Request
  readonly state: RequestState
  readonly host: Host
  readonly session: Session | null
  readonly person: Person | null
  readonly brand: string
  readonly place: VisibleWorkspace | null
  /** What the addresses of the answer begin with. Empty if the requested one names no workspace. */
  readonly base: string
  readonly choices: readonly VisibleWorkspace[]
  readonly pages: readonly Route[]
  readonly counts: ReadonlyMap<string, NavCount>
  readonly steps: readonly OpenStep[]
  readonly now: Date
}

/** Returns the visit of a request: what its page may use, and how it answers. */
export async function openVisit(given: Around): Promise<Opened> {
  const { pages, choices, counts, steps, now, base, ...around } = given
  const { request, state, host, session, person, brand, place } = around
  const known = session ? null : readCookie(request, 'visit', host)
  const fresh = session || known !== null ? null : newVisit()
  const csrf = maskToken(session?.csrf_token ?? (await csrfTokenOf(known ?? fresh ?? '')))
  const look = lookOf(request, host, person)
  const { method } = request
  const frame = frameOf({
    host,
    brand,
    csrf,
    place,
    choices,
    pages,
    person,
    counts,
    steps,
    look,
    method,
    state,
  })
  const open = openPaths(pages)
  const at = (to: string) => (open.has(to.split(/[?#]/, 1)[0] ?? '') ? to : addressIn(base, to))
  const time = { timezone: place?.timezone ?? 'UTC', now: now.toISOString() }
  const withCookies = (response: Response, cookies: readonly string[]) => {
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    return response
  }
  return {
    ...around,
    query: new URLSearchParams(state.search),
    form: noForm,
    csrf,
    isNamed: base !== '',
    at,
    page: (input) => renderPage({ ...input, host, frame, time, base }),
    redirect: (to, cookies = []) => withCookies(redirected(at(to)), cookies),
    leave: redirected,
    again: (renewed, path) =>
      openVisit({ ...given, session: renewed, state: { ...state, path, search: '' } }),
    keep: (response) => withCookies(response, fresh === null ? [] : [cookieOf('visit', fresh, host)]),
  }
}
