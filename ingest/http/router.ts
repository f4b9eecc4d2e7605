import { type IngestState, metricsType, type PeerOf } from 'renown/contracts'
import { sha256 } from '../sites/sites'
import { type BatchHandlerDeps, createBatchHandler } from './batch-handler'
import type { BeaconDeps } from './beacon/beacon'
import { createBeaconHandler } from './beacon/beacon-handler'
import { tokenOf } from './credentials'
import { handshake, isBatchPath } from './dialects'
import { headerOf } from './header'
import { noSuchAddress, problem, problemResponse, type Refuse } from './problem'
import { isSplunkCheck, splunkHealth } from './splunk'

export interface RouterDeps extends BeaconDeps, BatchHandlerDeps {
  /** The page that explains error codes. */
  readonly docs: string
  /** The status of the ingest, for load balancers. */
  state(): Promise<IngestState>
  /** The counts of the ingest, for monitoring. */
  printMetrics(): Promise<string>
}

/** Answers a request to the ingest. `peer` returns the address of its socket's other end. */
export type IngestRouter = (request: Request, peer: PeerOf) => Response | Promise<Response>

/** Creates the HTTP router: batches, the beacon, `/livez`, `/readyz`, `/healthz` and `/metrics`. */
export function createRouter(deps: RouterDeps): IngestRouter {
  // One function for all requests, because a closure per request would be most of the garbage of a hit.
  const refuse: Refuse = ({ url, headers }, refused, more) => {
    const origin = {
      docs: deps.docs,
      instance: pathnameOf(url),
      requestId: headerOf(headers, 'x-request-id'),
    }
    return problemResponse(refused, origin, more)
  }
  const batches = createBatchHandler(deps, refuse)
  const beacons = createBeaconHandler(deps, refuse)

  return (request, peer) => {
    const path = pathnameOf(request.url)
    const isBatch = isBatchPath(path)
    if (isBatch && request.method === 'POST') return batches(request, path, peer)
    if (path.startsWith('/s/')) return beacons(request, path.slice(3))
    if (path === '/livez') return alive()
    if (path === '/healthz') return health(deps)
    if (path === '/readyz') return ready(deps)
    if (path === '/metrics') return metrics(deps, request, refuse)
    if (isSplunkCheck(request.method, path)) return splunkHealth(deps.journal)
    const greeting = handshake(request, path)
    if (greeting) return greeting
    return isBatch ? batches(request, path, peer) : refuse(request, noSuchAddress)
  }
}

/** The process and its event loop work, whatever the journal and the stores do. */
const alive = () => Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })

/** 200 while hits are accepted. Says what is away at the same time. */
async function health({ journal, state }: RouterDeps): Promise<Response> {
  const reason = journal.refusal()
  const { clickhouse, gateway } = await state()
  const degraded = Object.entries({ clickhouse, gateway }).flatMap(([what, away]) =>
    away === null ? [] : [{ what, since: away.since, means: 'Accepted hits wait and are counted later.' }],
  )
  const good = degraded.length === 0 ? { status: 'ok' } : { status: 'degraded', degraded }
  return Response.json(reason ? { status: 'unavailable', reason } : good, {
    status: reason ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  })
}

/** Stays 200 while ClickHouse is down, because hits are accepted and wait. */
async function ready({ state }: RouterDeps): Promise<Response> {
  const now = await state()
  return Response.json(now, { status: now.accepting ? 200 : 503, headers: { 'cache-control': 'no-store' } })
}

async function metrics(
  { settings, printMetrics: told }: RouterDeps,
  request: Request,
  refuse: Refuse,
): Promise<Response> {
  const wanted = settings.METRICS_TOKEN
  // Compares hashes, so that the duration reveals nothing about the token.
  if (wanted !== '' && sha256(tokenOf(request) ?? '') !== sha256(wanted)) return refuse(request, noMetrics)
  return new Response(await told(), { headers: { 'content-type': metricsType, 'cache-control': 'no-store' } })
}

const noMetrics = problem('unauthenticated', 'Send METRICS_TOKEN as a bearer token.')

/** Returns the path of a request's URL without parsing. */
function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const hash = url.indexOf('#', start)
  const whole = hash === -1 ? url.length : hash
  const query = url.indexOf('?', start)
  return url.slice(start, query === -1 || query > whole ? whole : query)
}
