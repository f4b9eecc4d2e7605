import { Elysia } from 'elysia'
import { type Authorizer, authorizeScope } from '../auth/authorize'
import { Refusal } from '../contracts/errors'
import { checkNames } from '../query/parse'
import { readObject } from '../requests/body'
import { authenticated, type KnownState, knownState, type RequestState, stateOf } from '../requests/request'
import { wrongMethod } from '../requests/wrong-method'
import type { createDiscovery } from './discovery'
import { type EntityDeps, getEntity, listEntity } from './entities'
import { type CallDeps, callOperation, operationOf } from './functions'
import { rootAnswer } from './root'

/** Answers all requests under a path by itself: MCP, and the pages for people. */
export interface Handler<State extends RequestState> {
  fetch(request: Request, state: State): Response | Promise<Response>
}

export interface RouteDeps extends EntityDeps, CallDeps {
  readonly authorizer: Authorizer
  readonly discovery: ReturnType<typeof createDiscovery>
  readonly mcp: Handler<KnownState>
  readonly pages: Handler<RequestState>
  /** Answers an error: a page for people who came by browser, a problem for programs. */
  fail(error: unknown, state: RequestState, request: Request): Response
}

/**
 * Creates the routes. They have no query or body schemas, because the router would turn `q={…}` into an object and
 * drop unknown keys. Handlers name what they use of the context, so that nothing else is parsed.
 */
export function createRoutes(deps: RouteDeps) {
  const { discovery, fail } = deps
  return new Elysia({ strictPath: true })
    .onError(({ error, code, request }) =>
      fail(routeError(error, code, request), knownState(request) ?? strangerState(), request),
    )
    .get('/', ({ request }) => rootAnswer(request))
    .get('/healthz', () => discovery.health())
    .get('/readyz', () => discovery.ready())
    .get('/metrics', ({ request }) => discovery.metrics(request))
    .get('/openapi.json', ({ request }) => discovery.openapi(request))
    .get('/docs', ({ request }) => discovery.docs(request))
    .get('/internal/:feed', ({ request, params }) => discovery.feed(request, params.feed))
    .post('/internal/:feed', ({ request, params }) => discovery.feed(request, params.feed), { parse: 'none' })
    .use(pageRoutes(deps))
    .use(mcpRoutes(deps))
    .use(apiRoutes(deps))
}

/** Pages for people. Their cookies count here and nowhere under /api. */
function pageRoutes({ pages }: RouteDeps) {
  const handle = ({ request }: { request: Request }) => pages.fetch(request, stateOf(request))
  const parse = 'none' as const
  return new Elysia({ strictPath: true })
    .all('/app', handle, { parse })
    .all('/app/*', handle, { parse })
    .all('/oauth/authorize', handle, { parse })
    .all('/oauth/consent', handle, { parse })
}

/** MCP names the workspace in each call, so that none is asked for here. */
function mcpRoutes({ mcp }: RouteDeps) {
  const handle = ({ request }: { request: Request }) => mcp.fetch(request, authenticated(request))
  const parse = 'none' as const
  return new Elysia({ strictPath: true })
    .all('/api/mcp', handle, { parse })
    .all('/api/mcp/', handle, { parse })
}

const functions = '/api/functions/'

function apiRoutes(deps: RouteDeps) {
  const parse = 'none' as const
  const admit = ({ request }: { request: Request }) => {
    const state = authenticated(request)
    const { path, principal } = state
    const operation = path.startsWith(functions) && deps.registry.operations.get(path.slice(functions.length))
    // Before the workspace, as over MCP, where the status of the whole request says it.
    if (operation) authorizeScope(operation, principal)
    state.workspace = deps.authorizer.workspace(state, principal)
  }
  return new Elysia({ strictPath: true }).guard({ parse, beforeHandle: admit }, (api) =>
    api
      .get('/api/surface', ({ request }) => {
        refuseParameters(stateOf(request))
        return deps.discovery.surface(request)
      })
      .get('/api/entities/:entity', ({ request, params }) =>
        listEntity(deps, request, authenticated(request), params.entity),
      )
      .get('/api/entities/:entity/:id', ({ request, params }) =>
        getEntity(deps, request, authenticated(request), params.entity, params.id),
      )
      .post('/api/functions/:operation', ({ request, params }) => call(deps, request, params.operation))
      .all('/api', ({ request }) => refuse(request))
      .all('/api/*', ({ request }) => refuse(request)),
  )
}

async function call(deps: RouteDeps, request: Request, name: string): Promise<Response> {
  const state = authenticated(request)
  const { id: requestId, principal, workspace } = state
  const operation = operationOf(deps.registry, name)
  refuseParameters(state)
  if (!workspace) throw new Error('An operation was called without a workspace')
  const { output, replayed } = await callOperation(deps, {
    operation,
    caller: { workspace, credential: principal, requestId },
    principal,
    state,
    body: () => readObject(request),
    idempotencyKey: request.headers.get('idempotency-key'),
  })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
    vary: 'Authorization, X-Workspace-Id',
  }
  if (replayed) headers['idempotent-replayed'] = 'true'
  return new Response(JSON.stringify(output), { headers })
}

function refuse(request: Request): never {
  const { path } = stateOf(request)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads && (path === '/api/entities' || path.startsWith('/api/entities/'))) {
    throw new Refusal('outside_ceiling', 'Records cannot be written through the entities route.')
  }
  throw new Refusal('outside_surface', 'This address does not accept this method.', {
    hint: 'GET /api/surface lists what is callable. Operations are called by POST /api/functions/<name>.',
  })
}

/** A query string is never ignored. */
function refuseParameters({ search }: RequestState) {
  if (search !== '') checkNames(new URLSearchParams(search), [])
}

/** What is known of a request that did not come through the gate's own front: nothing. */
const strangerState = (): RequestState => ({
  id: 'unknown',
  path: '/',
  search: '',
  address: () => null,
  host: null,
  headers: {},
})

/** Addresses outside of /api that answer GET alone. */
const readOnly: readonly string[] = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']

function routeError(error: unknown, code: string | number, request: Request): unknown {
  if (code !== 'NOT_FOUND') return error
  const state = knownState(request)
  return state && readOnly.includes(state.path)
    ? wrongMethod(state, ['GET'])
    : new Refusal('not_found', 'There is nothing at this address.')
}
