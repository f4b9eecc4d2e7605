import { isRefusal } from '../../contracts/errors'
import type { SafeFetch } from '../../contracts/outbound'
import type { Log } from '../../contracts/plugin'
import type { Clock } from '../../process/clock'
import type { Config } from '../../process/config'
import type { Host } from '../../requests/host'
import type { Limits } from '../../requests/limits'
import { sentHeaders } from '../../requests/origin'
import { stackOf } from '../../requests/problem'
import type { RequestState } from '../../requests/request'
import type { Documents } from '../../stores/documents/port'
import type { Report } from './audit-report'
import { createAuthorize, createRequests, type Requests } from './authorize'
import { createClientAuth } from './clients/client-auth'
import { createAppDocuments } from './clients/client-metadata'
import { type Clients, createClients } from './clients/clients'
import { createRegister } from './clients/register'
import { createIsHolderActive } from './grants/active-grants'
import { createCodes } from './grants/codes'
import { createDecision, type Decision } from './grants/decision'
import { type ConnectedApp, createGrants, type Grant } from './grants/grants'
import { createTokens, type Token } from './grants/tokens'
import { authorizationServer, protectedResource } from './metadata'
import { errorResponse, json, OAuthError } from './oauth-error'
import { readParams } from './params'
import { createRevoke } from './revoke'
import { oauthRoutes, type ProgramRoute } from './route-table'
import { createToken } from './token'

export interface OAuthDeps {
  readonly documents: Documents
  readonly clock: Clock
  readonly config: Pick<Config, 'OAUTH_ACCESS_MINUTES'>
  readonly limits: Limits
  readonly log: Log
  readonly safeFetch: SafeFetch
  readonly report: Report
  /** Everything that an app can write, as text for the consent page. */
  readonly writes: string
}

/** Handles requests of apps for people: checks and stores the request, then sends the decision to the app. */
export interface Authorization {
  readonly authorize: ReturnType<typeof createAuthorize>
  readonly clients: Clients
  readonly requests: Requests
  readonly decision: Decision
  /** Everything that an app can write, as text. */
  readonly writes: string
}

/** The authorization server. Each host is a separate issuer: tokens of one host do not work at another. */
export interface OAuth {
  /** Answers programs on the server's own paths. Null for every other path. */
  fetch(request: Request, state: RequestState): Promise<Response> | null
  /** The functions for the pages where an app redirects people and where they decide. */
  readonly authorization: Authorization
  /** Returns the token and grant of an access token at this host, or null for anything else. */
  verify(token: string, host: Host | null): Promise<{ readonly token: Token; readonly grant: Grant } | null>
  /** Returns the apps that an agency has connected, newest first. */
  grants(agencyId: string): Promise<readonly ConnectedApp[]>
  /** Disconnects every app that a person connected, because somebody else may have connected them. */
  disconnectAllOf(
    person: { readonly id: string; readonly agency_id: string },
    reason?: 'password_changed' | 'person_left',
  ): Promise<void>
}

type Handle = (request: Request, state: RequestState, host: Host) => Response | Promise<Response>
interface Route {
  readonly handle: Handle
  readonly methods: readonly string[]
}

export function createOAuth(deps: OAuthDeps): OAuth {
  const { report } = deps
  const codes = createCodes(deps)
  const grants = createGrants(deps)
  const requests = createRequests(deps)
  const clients = createClients({ ...deps, appDocuments: createAppDocuments(deps) })
  const tokens = createTokens({ ...deps, accessMinutes: deps.config.OAUTH_ACCESS_MINUTES })
  const standing = createIsHolderActive(deps.documents)
  const shared = { ...deps, codes, grants, requests, clients, tokens, standing }
  const clientOf = createClientAuth(shared)
  const token = createToken(shared)
  const revoke = createRevoke(shared)
  const asClient =
    (answer: typeof token): Handle =>
    async (request, state, host) => {
      deps.limits.count(state, 'tokenRequest')
      const params = await readParams(request)
      return answer(await clientOf(request, params, state, host), params, host)
    }
  const routes = routesOf({
    server: documented(authorizationServer),
    resource: documented(protectedResource),
    register: createRegister(shared),
    token: asClient(token),
    revoke: asClient(revoke),
  })
  const { writes } = deps
  const authorize = createAuthorize(shared)
  return {
    authorization: { authorize, clients, requests, decision: createDecision(shared), writes },
    fetch(request, state) {
      const route = routes.get(state.path)
      return route ? answered(route, request, state, deps.log) : null
    },
    async verify(text, host) {
      const found = host && (await tokens.access(text))
      const grant = found && (await grants.liveAt(found.grant_id, host))
      if (!grant) return null
      grants.touch(grant)
      return { token: found, grant }
    },
    grants: grants.connected,
    async disconnectAllOf({ id, agency_id }, reason = 'password_changed') {
      for (const grant of await grants.allowedBy(id, agency_id)) {
        const ended = await grants.end(grant.id, reason)
        if (ended) await report(ended, `app.${reason}`)
      }
    },
  }
}

/** Returns the route table with the handler of each path. */
function routesOf(handlers: Readonly<Record<ProgramRoute, Handle>>): ReadonlyMap<string, Route> {
  const names = Object.keys(handlers) as ProgramRoute[]
  return new Map(
    names.flatMap((name) => {
      const { paths, methods } = oauthRoutes[name]
      const route: Route = { handle: handlers[name], methods }
      return paths.map((path) => [path, route] as const)
    }),
  )
}

const documented =
  (document: (host: Host) => object): Handle =>
  (_request, _state, host) =>
    json(document(host), 200, { 'cache-control': 'public, max-age=60' })

/** Answers pages of any origin, because the server reads no cookie and uses only the data in the request. */
async function answered(route: Route, request: Request, state: RequestState, log: Log): Promise<Response> {
  const methods = [...route.methods, 'OPTIONS'].join(', ')
  Object.assign(state.headers, {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
  })
  if (request.method === 'OPTIONS') return preflight(methods)
  try {
    if (!route.methods.includes(request.method)) throw methodFault(methods)
    if (!state.host) throw new Error('The request was sent to a host that this server does not serve')
    return await route.handle(request, state, state.host)
  } catch (error) {
    return errorResponse(toOAuthError(error, state, log))
  }
}

const methodFault = (methods: string) =>
  new OAuthError('invalid_request', `The method must be one of ${methods}`, {
    status: 405,
    headers: { allow: methods },
  })

const preflight = (methods: string) =>
  new Response(null, {
    status: 204,
    headers: {
      allow: methods,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': sentHeaders,
      'access-control-max-age': '600',
    },
  })

function toOAuthError(error: unknown, state: RequestState, log: Log): OAuthError {
  if (error instanceof OAuthError) {
    log.debug('refused', { request_id: state.id, path: state.path, code: error.code })
    return error
  }
  if (isRefusal(error) && error.status < 500) {
    const seconds = error.details.retryAfterSeconds
    const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': String(seconds) }
    const code = error.status === 429 ? 'too_many_requests' : 'invalid_request'
    return new OAuthError(code, error.message, { status: error.status, headers })
  }
  const isAway = error instanceof Error && error.name === 'UnavailableError'
  if (isAway) {
    log.warn('a store is unavailable', { request_id: state.id, path: state.path, error: String(error) })
    return new OAuthError('temporarily_unavailable', 'A store cannot be reached at the moment', {
      status: 503,
      headers: { 'retry-after': '2' },
    })
  }
  log.error('a request failed', { request_id: state.id, path: state.path, error: stackOf(error) })
  return new OAuthError('server_error', `Internal error. Name this id when you report it: ${state.id}`, {
    status: 500,
  })
}
