import { agentKeys } from '../auth/agent-keys'
import { createAuthorizer } from '../auth/authorize'
import { createHosts, type Hosts } from '../auth/hosts'
import { createOAuth } from '../auth/oauth'
import { resourceMetadataUrl } from '../auth/oauth/metadata'
import { ownerContext } from '../contexts/owner'
import { createSources } from '../contexts/sources'
import { Refusal } from '../contracts/errors'
import type { SafeFetch } from '../contracts/outbound'
import type { PageCounter } from '../contracts/page'
import type { Log, OwnerContext } from '../contracts/plugin'
import type { StallWatch } from '../contracts/stalls'
import { agentFilePaths } from '../http/agent-files'
import { createDiscovery } from '../http/discovery'
import { createLists } from '../http/lists'
import { createGatewayMetrics, createRouteNames, type RouteName } from '../http/metrics'
import { receiverPath } from '../http/receivers'
import { createRoutes } from '../http/routes'
import { createUsedLimits } from '../http/used-limits'
import { createHandler } from '../mcp/handler'
import type { Patience } from '../mcp/long-answer'
import type { Reach } from '../outbound/reach'
import type { FetchSigner } from '../outbound/signing/fetch-signer'
import type { Clock } from '../process/clock'
import type { Config } from '../process/config'
import type { Registry } from '../registry/registry'
import { writesOf } from '../registry/surface'
import { prefers } from '../requests/accept'
import { checkLength } from '../requests/body'
import { createCallSlots } from '../requests/call-slots'
import { createClientAddress, type Peer } from '../requests/client-address'
import { compressed } from '../requests/compress'
import type { Host } from '../requests/host'
import { createLimits } from '../requests/limits'
import { createOrigins } from '../requests/origin'
import { problemResponse } from '../requests/problem'
import { originOf, type RequestState, readTarget, requestIdOf } from '../requests/request'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { auditOf } from '../tenancy/audit/audit'
import type { Pages } from '../web/frame/routes'
import { createAgentApps } from '../web/framework/agent-apps/build'
import { type Bundle, noBundle } from '../web/framework/bundle'
import type { Route } from '../web/framework/route'
import { createApp } from '../web/pages/app'
import { createPublicPages, publicPath } from '../web/pages/public/public-pages'
import { createUploads, uploadPath } from '../web/pages/public/uploads'
import { waitForTurn } from '../work/loop-turns'
import { currentWork, requestWork, runWork } from '../work/scope'
import { isTraced, traced } from '../work/traces'
import type { WorkMetrics } from './work-metrics'

/** Number of cached query strings of lists. */
const listsMax = 1_000

export interface GatewayDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  /** The context of feeds. Default: created here. */
  readonly owner?: OwnerContext
  /** The scripts for browsers, built before the start. Default: none. */
  readonly bundle?: Bundle
  /** The ingest, if this process runs it. */
  readonly counter?: PageCounter | null
  /** Watches the event loop of this process. Default: none. */
  readonly stalls?: StallWatch
  /** Publishes the keys that sign Renown's requests. */
  readonly signer?: Pick<FetchSigner, 'directory'>
  /** Knows which services do not answer. Default: none is known. */
  readonly reach?: Pick<Reach, 'failing'>
  /** The work of the installation as numbers, for `/metrics`. Default: none. */
  readonly workMetrics?: WorkMetrics
  /** Fetches the documents of apps. Default: created here. */
  readonly safeFetch?: SafeFetch
  /** When a tool call counts as long. Default: after some seconds. */
  readonly patience?: Patience
}

/** The gateway over HTTP. */
export interface Gateway {
  /** Every page for people, for tests of all of them. */
  readonly pages: readonly Route[]
  fetch(request: Request, peer: Peer): Promise<Response>
}

/**
 * Handles a request: finds the path as the router will, answers 401 under /api, refuses malformed or too large
 * requests, then routes. Each route under /api checks the credential again.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const { registry, documents, columns, config, clock, log, bundle = noBundle } = deps
  const owner = deps.owner ?? ownerContext({ registry, documents, columns, clock, log, onChanged: () => {} })
  const limits = createLimits(config, documents, clock.now)
  const audit = auditOf(owner)
  const oauth = createOAuth({
    documents,
    clock,
    config,
    limits,
    log,
    writes: writesOf(registry.operations.values()),
    report: ({ id, agency_id, user_id, host, client_name: subject }, action, outcome) =>
      audit.record({ agency_id, user_id, host, action, subject, outcome, credential: id }),
    safeFetch: deps.safeFetch ?? owner.outbound.safeFetch,
  })
  const authorizer = createAuthorizer({ documents, limits, oauth, keys: agentKeys({ documents, clock }) })
  const sources = createSources(documents, columns, owner.product)
  const shared = {
    registry,
    documents,
    limits,
    clock,
    authorizer,
    slots: createCallSlots(),
    sources,
    lists: createLists({ registry, sources }, listsMax),
    settings: owner.settings,
    apiUrl: config.apiUrl,
    model: owner.outbound.model,
    usedLimits: createUsedLimits(deps, owner),
    audit,
  }
  const origins = createOrigins(config)
  const pages = createApp({
    documents,
    columns,
    config,
    clock,
    log,
    limits,
    oauth,
    audit,
    owner,
    context: { registry, sources: shared.sources, now: clock.now, model: shared.model },
    bundle,
    counter: deps.counter ?? null,
  })
  const { metrics, ...measures } = measured(registry, pages)
  const fail = createFail({ config, log, pages })
  const routes = createRoutes({
    ...shared,
    owner,
    mcp: createHandler({
      ...shared,
      owner,
      log,
      apps: createAgentApps(registry),
      ...(deps.patience ? { patience: deps.patience } : {}),
    }),
    discovery: createDiscovery({ ...deps, owner, metrics, streams: pages.streams }),
    pages,
    publicPages: createPublicPages({ registry, limits, owner, bundle }),
    uploads: createUploads({ registry, limits, owner }),
    fail,
  })
  const hosts = createHosts({ documents, config })
  const addressOf = behindProxies(config)

  async function route(request: Request, state: RequestState, fault: unknown): Promise<Response> {
    const { path } = state
    if (!state.host && !isProbe(path)) return notServed(state, fault, (error) => fail(error, state, request))
    const isPreflight = request.method === 'OPTIONS'
    const isMcp = path === '/api/mcp' || path === '/api/mcp/'
    if (isMcp) Object.assign(state.headers, origins.headers(request, state.host))
    if (isApi(path) && path !== agentFilePaths.card && !isPreflight) {
      state.principal = await authorizer.authenticate(request, state)
      currentWork().tenant = state.principal.agency_id
      if (isMcp) origins.check(request, state.host)
      else limits.count(state, chargeOf(path), { credential: state.principal.id })
      await waitForTurn()
    }
    if (fault !== undefined) throw faultOf(fault)
    checkLength(request)
    const answered = isApi(path) ? null : oauth.fetch(request, state)
    if (answered) return answered
    return isPreflight ? allowed(path, isMcp ? origins.preflight : {}) : routes.handle(request, state)
  }

  return {
    pages: pages.table,
    async fetch(raw, peer) {
      const began = performance.now()
      const { request, path, search, fault } = readTarget(raw)
      const { host, error } = await admit(hosts, request, peer)
      const id = requestIdOf(request)
      const address = addressOf?.(request, peer) ?? peer
      const state: RequestState = { id, path, search, host, headers: {}, address }
      const work = workOf(config, raw)
      let response: Response
      try {
        response = await inSpan(request, state, { ...measures, fail }, () =>
          runWork(work, () => route(request, state, error ?? fault)),
        )
      } catch (error) {
        response = fail(error, state, request)
      }
      limits.settle(work, response.status)
      if (isApi(path)) limits.show(state)
      metrics.answered(path, response.status, performance.now() - began)
      logAnswer(log, request, state, response)
      return compressed(request, path, finish(response, state))
    },
  }
}

/** What counts answers by their route, and whether spans are wanted. */
function measured({ entities, operations }: Registry, { table }: Pages) {
  const routeName = createRouteNames({ entities, operations, pages: new Set(table.map(({ path }) => path)) })
  return { routeName, metrics: createGatewayMetrics(routeName), hasSpans: isTraced() }
}

/** Answers a request, in a span with its route, and without its address, its query and who asked, if spans are wanted. */
function inSpan(
  request: Request,
  state: RequestState,
  {
    routeName,
    fail,
    hasSpans,
  }: { readonly routeName: RouteName; readonly fail: Fail; readonly hasSpans: boolean },
  routed: () => Promise<Response>,
): Promise<Response> {
  if (!hasSpans) return routed()
  const { method } = request
  const name = routeName(state.path)
  const values = { 'http.request.method': method, 'http.route': name, 'renown.request_id': state.id }
  return traced({ name: `${method} ${name}`, sort: 'server', values }, async (note) => {
    const response = await routed().catch((error) => fail(error, state, request))
    note({ 'http.response.status_code': response.status })
    return response
  })
}

function logAnswer(log: Log, { method }: Request, { id, path }: RequestState, { status }: Response): void {
  log.debug('answered', { request_id: id, method, path: loggedPath(path), status })
}

/** Returns a path for the log. The rest of a public address is a permission. */
const loggedPath = (path: string) =>
  path.startsWith(publicPath) || path.startsWith(uploadPath)
    ? path.replace(/^(\/(?:p|uploads)\/[a-z0-9-]{1,40}\/).*$/, '$1…')
    : path

type Fail = (error: unknown, state: RequestState, request: Request) => Response

/** Answers an error: an HTML page for browsers, problem JSON for programs. */
const createFail =
  ({ config, log, pages }: Pick<GatewayDeps, 'config' | 'log'> & { readonly pages: Pages }): Fail =>
  (error, state, request) => {
    const { id: requestId, path, host } = state
    if (host && isForBrowser(request, path)) return pages.fault(error, request, { ...state, host })
    const resourceMetadata = host && isApi(path) ? resourceMetadataUrl(host) : undefined
    const apiUrl = originOf(state, config.apiUrl)
    return problemResponse(error, { requestId, path, apiUrl, log, resourceMetadata })
  }

interface Admitted {
  readonly host: Host | null
  readonly error?: unknown
}

/** Returns the host of a request. A store error is a fault of the request. */
function admit(hosts: Hosts, request: Request, peer: Peer): Admitted | Promise<Admitted> {
  const failed = (error: unknown): Admitted => ({ host: null, error })
  try {
    const host = hosts.admit(request, peer)
    return host instanceof Promise ? host.then((found) => ({ host: found }), failed) : { host }
  } catch (error) {
    return failed(error)
  }
}

const workOf = ({ READ_SECONDS_MAX: seconds }: Config, request: Request) =>
  requestWork({ limitMs: seconds * 1_000, disconnected: () => request.signal })

/** Returns why a request is refused before routing: a malformed address, or a store error. */
const faultOf = (fault: unknown) =>
  typeof fault === 'string' ? new Refusal('malformed_request', fault) : fault

function notServed(state: RequestState, fault: unknown, fail: (error: unknown) => Response): Response {
  if (fault !== undefined) throw faultOf(fault)
  const error = new Refusal('host_not_served', 'Renown does not answer on this host.', {
    hint: 'The operator sets RENOWN_URL to the public origin, and adds other hosts with "renown domain add".',
  })
  return isForPrograms(state.path) ? fail(error) : plainly(error)
}

function finish(response: Response, { id, headers }: RequestState): Response {
  response.headers.set('x-request-id', id)
  response.headers.set('x-content-type-options', 'nosniff')
  for (const name in headers) response.headers.set(name, headers[name] ?? '')
  return response
}

/** Returns a function that finds a caller's address behind proxies. Without proxies, the peer is the caller. */
const behindProxies = ({ TRUSTED_PROXIES: proxies }: Config) =>
  proxies.length === 0 ? null : createClientAddress(proxies)

/** Returns the limit that a request under /api counts against. Requests to MCP count after their body was read. */
const chargeOf = (path: string) => (path.startsWith('/api/functions/') ? 'operation' : 'read')

const isApi = (path: string) => path === '/api' || path.startsWith('/api/')

/** Whether the path is for monitoring or feeds, which work with any host name. */
const isProbe = (path: string) =>
  ['/livez', '/readyz', '/healthz', '/metrics'].includes(path) || path.startsWith('/internal/')

/** Whether a browser sent the request. A program without an Accept header gets problem JSON. */
const isForBrowser = ({ headers }: Request, path: string) =>
  !isForPrograms(path) && !isProbe(path) && prefers(headers.get('accept'), 'text/html', 'application/json')

const isForPrograms = (path: string) =>
  isApi(path) ||
  path.startsWith('/oauth/') ||
  path.startsWith('/.well-known/') ||
  path.startsWith(receiverPath)

function plainly({ message, details, status }: Refusal): Response {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
  return new Response(`${message} ${details.hint}\n`, { status, headers })
}

/** Answers OPTIONS. It needs no credential and contains only the methods. */
function allowed(path: string, more: Readonly<Record<string, string>>): Response {
  const isPosted = path.startsWith('/api/functions/') || path.startsWith(receiverPath)
  const methods = isPosted ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS'
  return new Response(null, { status: 204, headers: { allow: methods, ...more } })
}
