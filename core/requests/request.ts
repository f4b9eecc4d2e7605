import type { CredentialInfo, WorkspaceInfo } from '../contracts/context'
import { Refusal } from '../contracts/errors'
import type { Host } from './host'

/** An accepted credential. Limits are counted by its `id`. */
export interface Principal extends CredentialInfo {
  readonly id: string
}

/** The gateway's data about a request, from its first byte to its answer. */
export interface RequestState {
  readonly id: string
  readonly path: string
  /** The query string as sent, without `?`. */
  readonly search: string
  /** Returns the caller's address, behind trusted proxies. It is used only for counting and never stored. */
  readonly address: () => string | null
  /** The requested host. Null if the product does not answer on it. */
  readonly host: Host | null
  principal?: Principal
  /** The named workspace, or the home workspace, before access is checked. */
  workspaceRow?: WorkspaceInfo | null
  workspace?: WorkspaceInfo
  /** Headers for every answer. */
  readonly headers: Record<string, string>
}

/** The state of a request with an accepted credential. */
export type AuthenticatedState = RequestState & { readonly principal: Principal }

/** Returns the origin that the caller uses: its own on a white-label domain, otherwise the main one. */
export const originOf = ({ host }: Pick<RequestState, 'host'>, main: string): string =>
  host?.kind === 'white_label' ? host.origin : main

/** Refuses keys, which would fit this form too, because ids are logged and stored for a day. */
const requestIdForm = /^(?!rnw_)[A-Za-z0-9_-]{8,64}$/

/** Returns the caller's request id if it is valid, otherwise a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && requestIdForm.test(given) ? given : crypto.randomUUID()
}

export interface Target {
  /** The request for the router, with a host that is long enough for it. */
  readonly request: Request
  readonly path: string
  readonly search: string
  /** Why the request must be refused, once its host is known. */
  readonly fault?: string
}

/**
 * Finds the path as the router will. The router starts at a fixed position in the URL, so with a short Host it would
 * route another path than the checked one. Such a request gets a longer host.
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
  if (url.includes('#')) return 'The address contains a fragment.'
  if (path.includes('//')) return 'The path contains an empty segment.'
  if (path.includes('\\')) return 'The path contains a backslash.'
  if (!path.includes('%')) return
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) return 'The path contains a malformed escape.'
  if (/%(?:2f|5c|00)/i.test(path)) return 'The path contains an escaped slash, backslash or NUL.'
  try {
    decodeURIComponent(path)
  } catch {
    return 'The path is not UTF-8.'
  }
}

/** Returns the state of a request with a valid credential. Every route under /api uses it. */
export function authenticated(state: RequestState): AuthenticatedState {
  if (!state.principal) throw new Refusal('unauthenticated', 'A bearer token is required.')
  return state as AuthenticatedState
}
