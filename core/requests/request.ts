import type { CredentialInfo, WorkspaceInfo } from '../contracts/context'
import { Refusal } from '../contracts/errors'
import type { Host } from './host'

/** A credential that was recognised. `id` is what limits are counted by. */
export interface Principal extends CredentialInfo {
  readonly id: string
}

/** What the gate knows of one request, from the first byte to the answer. */
export interface RequestState {
  readonly id: string
  readonly path: string
  /** The query string as it came, without `?`. */
  readonly search: string
  /** The caller's address, behind trusted proxies. Asked for where something is counted by it, and kept nowhere. */
  readonly address: () => string | null
  /** The host that was asked; null where the product does not answer on it. */
  readonly host: Host | null
  principal?: Principal
  /** The workspace that was named, or the home workspace, before it is known to be readable. */
  workspaceRow?: WorkspaceInfo | null
  workspace?: WorkspaceInfo
  /** The call that this request leads to was counted when it came. */
  isCounted?: boolean
  /** Headers that the answer carries whatever it is. */
  readonly headers: Record<string, string>
}

/** The state of a request whose credential was recognised. */
export type KnownState = RequestState & { readonly principal: Principal }

/** A key would fit as well: ids are logged, and kept for a day. */
/** The origin by which the caller knows the product: on a white-label domain its own, elsewhere the main one. */
export const originOf = ({ host }: Pick<RequestState, 'host'>, main: string): string =>
  host?.kind === 'white_label' ? host.origin : main

const requestIdForm = /^(?!rnw_)[A-Za-z0-9_-]{8,64}$/

/** The caller's request id where it is well formed, else one of ours. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && requestIdForm.test(given) ? given : crypto.randomUUID()
}

export interface Target {
  /** The request as it may be routed: with a host long enough for the router to find the path. */
  readonly request: Request
  readonly path: string
  readonly search: string
  /** Why it must be refused, once it is known whose answer that is. */
  readonly fault?: string
}

/**
 * Finds the path as the router will find it. The router looks for it from a fixed place in the URL, so that a short Host
 * would make it route another path than the one that was checked: such a request gets a longer host.
 */
export function readTarget(request: Request): Target {
  const { url } = request
  const scheme = url.indexOf('://')
  const slash = url.indexOf('/', scheme + 3)
  if (scheme < 0 || slash < 0)
    return { request, path: '/', search: '', fault: 'The Host header is malformed.' }
  const mark = url.indexOf('?', slash)
  const path = mark < 0 ? url.slice(slash) : url.slice(slash, mark)
  const search = mark < 0 ? '' : url.slice(mark + 1)
  const fault = hostFault(url.slice(scheme + 3, slash)) ?? pathFault(path, url)
  if (fault) return { request, path, search, fault }
  if (slash >= 11) return { request, path, search }
  return { request: new Request(`http://localhost${url.slice(slash)}`, request), path, search }
}

const hostForm = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/

function hostFault(authority: string): string | undefined {
  const match = hostForm.exec(authority)
  if (!match || Number(match[1] ?? 0) > 65535) return 'The Host header is malformed.'
}

function pathFault(path: string, url: string): string | undefined {
  if (url.includes('#')) return 'The address holds a fragment.'
  if (path.includes('//')) return 'The path holds an empty segment.'
  if (path.includes('\\')) return 'The path holds a backslash.'
  if (!path.includes('%')) return
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) return 'The path holds a malformed escape.'
  if (/%(?:2f|5c|00)/i.test(path)) return 'The path holds an escaped slash, backslash or NUL.'
  try {
    decodeURIComponent(path)
  } catch {
    return 'The path is not UTF-8.'
  }
}

const states = new WeakMap<Request, RequestState>()

export const remember = (request: Request, state: RequestState): void => {
  states.set(request, state)
}

/** The state of a request that came through the gate's own front, if it did. */
export const knownState = (request: Request): RequestState | undefined => states.get(request)

/** The state of a request that came through the gate's own front. One that did not is nobody's. */
export function stateOf(request: Request): RequestState {
  const state = states.get(request)
  if (!state) throw new Refusal('unauthenticated', 'A bearer token is required.')
  return state
}

/** The state of a request whose credential was recognised: the guard of every route under /api. */
export function authenticated(request: Request): KnownState {
  const state = stateOf(request)
  if (!state.principal) throw new Refusal('unauthenticated', 'A bearer token is required.')
  return state as KnownState
}
