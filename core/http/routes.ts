import { Elysia } from 'elysia'
import { type Authorizer, authorizeScope } from '../auth/authorize'
import { oauthPagePaths } from '../auth/oauth/route-table'
import { Refusal } from '../contracts/errors'
import { directoryPath } from '../outbound/signing/fetch-signer'
import { checkNames } from '../query/parse'
import { prefers } from '../requests/accept'
import { readObject } from '../requests/body'
import type { CallSlots } from '../requests/call-slots'
import { type AuthenticatedState, authenticated, type RequestState } from '../requests/request'
import { wrongMethod } from '../requests/wrong-method'
import { paid } from '../work/loop-time'
import { agentFilePaths } from './agent-files'
import type { createDiscovery } from './discovery'
import { docsPath, namesMarkdown } from './docs-files'
import { type EntityDeps, getEntity, listEntity } from './entities'
import { eventQuery } from './event-query'
import { type CallDeps, callOperation, operationOf } from './functions'
import { listEvents } from './listEvents'
import { type ReceiverDeps, receiveMessage, receiverPath } from './receivers'
import { rootAnswer } from './root'
import { skillPaths } from './skill-files'

/** A handler for all requests under a path: MCP, and the pages for people. */
export interface Handler<State extends RequestState> {
  fetch(request: Request, state: State): Response | Promise<Response>
}

/** The routes of the gateway. */
export interface Routes {
  /** Answers a request. Its handlers find the state in the context of the router. */
  handle(request: Request, state: RequestState): Promise<Response>
}

/** The parts of the context that handlers use. */
interface Arrived {
  readonly request: Request
  readonly state: RequestState
}

export interface RouteDeps extends EntityDeps, CallDeps, Pick<ReceiverDeps, 'owner'> {
  readonly authorizer: Authorizer
  readonly discovery: ReturnType<typeof createDiscovery>
  readonly mcp: Handler<AuthenticatedState>
  readonly pages: Handler<RequestState>
  /** Pages and files for people without an account. */
  readonly publicPages: Handler<RequestState>
  readonly uploads: Handler<RequestState>
  /** Shared with MCP. */
  readonly slots: CallSlots
  /** Answers an error: an HTML page for browsers, problem JSON for programs. */
  fail(error: unknown, state: RequestState, request: Request): Response
}

/**
 * Creates the routes. They have no query or body schemas, because the router would turn `q={…}` into an object and
 * drop unknown keys. Handlers name what they use of the context, so that nothing else is parsed.
 */
export function createRoutes(deps: RouteDeps): Routes {
  const { discovery, fail } = deps
  /** The state that `handle` passes to the first hook of the router, synchronously. */
  let arriving: RequestState | undefined
  const app = router()
    .onRequest((context) => {
      if (!arriving) throw new Error('A request reached the router without its state')
      context.state = arriving
      arriving = undefined
    })
    .onError(({ error, code, request, state }) => fail(routeError(error, code, state), state, request))
    .get('/', ({ request }) => rootAnswer(request))
    .get('/livez', () => discovery.health.alive())
    .get('/readyz', () => discovery.health.ready())
    .get('/healthz', () => discovery.health.details())
    .get('/metrics', ({ request }) => discovery.metrics(request))
    .get('/openapi.json', ({ request, state }) => discovery.openapi(request, state))
    .get('/docs', ({ request, state }) =>
      prefers(request.headers.get('accept'), 'text/html', 'application/json') && !namesMarkdown(request)
        ? deps.pages.fetch(request, state)
        : discovery.docs(request, state),
    )
    .get('/docs.md', ({ request, state }) => discovery.docsText(request, state))
    .get(`${docsPath}*`, ({ request, state }) => discovery.docsFile(request, state))
    .get(agentFilePaths.card, ({ request, state }) => discovery.agentFile(request, state, 'card'))
    .get(agentFilePaths.catalog, ({ request, state }) => discovery.agentFile(request, state, 'catalog'))
    .get(agentFilePaths.llms, ({ request, state }) => discovery.agentFile(request, state, 'llms'))
    .get(`${skillPaths.discovery}*`, ({ request, state }) => discovery.skillFile(request, state))
    .get(`${skillPaths.files}*`, ({ request, state }) => discovery.skillFile(request, state))
    .get(directoryPath, ({ state }) => discovery.signingKeys(state))
    .get('/internal/:feed', ({ request, params }) => discovery.feed(request, params.feed))
    .post('/internal/:feed', ({ request, params }) => discovery.feed(request, params.feed), { parse: 'none' })
    .use(receiverRoutes(deps))
    .all('/p/*', ({ request, state }) => deps.publicPages.fetch(request, state), { parse: 'none' })
    .all('/uploads/*', ({ request, state }) => deps.uploads.fetch(request, state), { parse: 'none' })
    .use(pageRoutes(deps))
    .use(mcpRoutes(deps))
    .use(apiRoutes(deps))
  return {
    handle(request, state) {
      arriving = state
      return app.handle(request)
    },
  }
}

/** A router whose context contains the state of its request. */
const router = () => new Elysia({ strictPath: true }).decorate('state', unset as RequestState)

/** The state in the context before the first hook. */
const unset: unknown = null

/** Messages from services outside. The token in the address is the credential; cookies and keys count for nothing. */
function receiverRoutes(deps: RouteDeps) {
  const path = `${receiverPath}:name/:token`
  return router()
    .post(
      path,
      ({ request, state, params }) => {
        refuseParameters(state)
        return receiveMessage(deps, request, state, params)
      },
      { parse: 'none' },
    )
    .all(
      path,
      ({ state }: Arrived) => {
        throw wrongMethod(state, ['POST'])
      },
      { parse: 'none' },
    )
}

/** Pages for people. Their cookies count here and nowhere under /api. */
function pageRoutes({ pages }: RouteDeps) {
  const handle = ({ request, state }: Arrived) => pages.fetch(request, state)
  const parse = 'none' as const
  const pagesOfOAuth = router()
  for (const path of oauthPagePaths) pagesOfOAuth.all(path, handle, { parse })
  return pagesOfOAuth.all('/app', handle, { parse }).all('/app/*', handle, { parse })
}

/** MCP names the workspace in each call, so none is read here. */
function mcpRoutes({ mcp }: RouteDeps) {
  const handle = ({ request, state }: Arrived) => mcp.fetch(request, authenticated(state))
  const parse = 'none' as const
  return router().all('/api/mcp', handle, { parse }).all('/api/mcp/', handle, { parse })
}

const functions = '/api/functions/'

function apiRoutes(deps: RouteDeps) {
  const parse = 'none' as const
  const admit = ({ request, state }: Pick<Arrived, 'request' | 'state'>): Promise<void> | undefined => {
    const { path, principal } = authenticated(state)
    const operation = path.startsWith(functions) && deps.registry.operations.get(path.slice(functions.length))
    // Checked before the workspace, as over MCP, where the status of the whole request shows it.
    if (operation) authorizeScope(operation, principal)
    const header = request.headers.get('x-workspace-id')
    const workspace = deps.authorizer.workspace(state, principal, header)
    // Ids are known already. Only names wait for the store, and every wait takes steps.
    if (workspace instanceof Promise)
      return workspace.then((named) => {
        state.workspace = named
      })
    state.workspace = workspace
    return undefined
  }
  return router().guard({ parse, beforeHandle: admit }, (api) =>
    api
      .get('/api/surface', ({ request, state }) => {
        refuseParameters(state)
        return deps.discovery.surface(request)
      })
      .get('/api/entities/:entity', ({ request, state, params }) =>
        listEntity(deps, request, authenticated(state), params.entity),
      )
      .get('/api/entities/:entity/:id', ({ request, state, params }) =>
        getEntity(deps, request, authenticated(state), params.entity, params.id),
      )
      .get('/api/events', ({ request, state }) =>
        call(deps, request, authenticated(state), {
          name: listEvents.name,
          body: async () => eventQuery(state.search),
        }),
      )
      .post('/api/functions/:operation', ({ request, state, params }) => {
        const { operation: name } = params
        operationOf(deps.registry, name)
        refuseParameters(state)
        return call(deps, request, authenticated(state), { name, body: () => readObject(request) })
      })
      .all('/api', ({ request, state }) => refuse(request, state))
      .all('/api/*', ({ request, state }) => refuse(request, state)),
  )
}

async function call(
  deps: RouteDeps,
  request: Request,
  state: AuthenticatedState,
  { name, body }: { readonly name: string; readonly body: () => Promise<Record<string, unknown>> },
): Promise<Response> {
  const { id: requestId, principal, workspace } = state
  const operation = operationOf(deps.registry, name)
  if (!workspace) throw new Error('An operation was called without a workspace')
  const { output, replayed } = await deps.slots.run(principal.id, () =>
    callOperation(deps, {
      operation,
      caller: { workspace, credential: principal, requestId },
      principal,
      state,
      body,
      idempotencyKey: request.headers.get('idempotency-key'),
    }),
  )
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
    vary: 'Authorization, X-Workspace-Id',
  }
  if (replayed) headers['idempotent-replayed'] = 'true'
  return new Response(
    paid(undefined, () => JSON.stringify(output)),
    { headers },
  )
}

function refuse(request: Request, { path }: RequestState): never {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads && (path === '/api/entities' || path.startsWith('/api/entities/'))) {
    throw new Refusal('outside_ceiling', 'Records cannot be written through the entities route.')
  }
  throw new Refusal('outside_surface', 'This address does not accept this method.', {
    hint: 'GET /api/surface lists what is callable. Operations are called by POST /api/functions/<name>.',
  })
}

/** Throws if there is a query string, so that it is never ignored. */
function refuseParameters({ search }: RequestState) {
  if (search !== '') checkNames(new URLSearchParams(search), [])
}

/** Addresses outside of /api that accept only GET. */
const readOnly: readonly string[] = [
  '/',
  '/livez',
  '/readyz',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs.md',
]

function routeError(error: unknown, code: string | number, state: RequestState): unknown {
  if (code !== 'NOT_FOUND') return error
  if (readOnly.includes(state.path)) return wrongMethod(state, ['GET'])
  const hint = state.path === '/mcp' ? { hint: 'MCP is at /api/mcp.' } : {}
  return new Refusal('not_found', 'There is nothing at this address.', hint)
}
