import type { IngestSite, Settings } from 'renown/contracts'
import { type BeaconDeps, countArrival, openToAll, serveScript } from './beacon'
import { createBodyReader } from './body'
import type { ClientAddress } from './client-address'
import type { Counter } from './counter'
import { createFailures } from './failures'
import { type Journal, JournalRefusal } from './journal'
import { createBuckets } from './limits'
import { type Problem, problem, problemResponse } from './problem'
import { type Sites, sha256 } from './sites'

export interface DoorsDeps extends BeaconDeps {
  readonly settings: Settings
  readonly sites: Sites
  readonly counter: Counter
  readonly journal: Journal
  readonly clientAddress: ClientAddress
  /** The page that explains error codes. */
  readonly docs: string
}

/** Answers a request that has reached the ingest; `address` is the socket's peer. */
export type Doors = (request: Request, address: string | null) => Response | Promise<Response>

const beaconBytesMax = 8 * 1024

/** Builds the HTTP side: the forwarders' doors, the beacon's, and `/healthz`. */
export function createDoors(deps: DoorsDeps): Doors {
  const batches = createBatchDoor(deps)
  const beacons = createBeaconDoor(deps)

  return (request, address) => {
    const path = pathnameOf(request.url)
    const refuse = (refused: Problem, headers?: Record<string, string>) =>
      problemResponse(
        refused,
        { docs: deps.docs, instance: path, requestId: request.headers.get('x-request-id') },
        headers,
      )
    if (path.startsWith('/v1/')) return batches(request, path, address, refuse)
    if (path.startsWith('/s/')) return beacons(request, path.slice(3), refuse)
    if (path === '/healthz') return health(deps.journal)
    return refuse(noSuchAddress)
  }
}

type Refuse = (refused: Problem, headers?: Record<string, string>) => Response

const noSuchAddress = problem('not_found', 'There is nothing at this address.')
const noSuchSite = problem('not_found', 'No site has this key.')
const unauthenticated = problem('unauthenticated', "Send the site's forwarder token as a bearer token.")
const tooManyFailures = problem('quota_exceeded', 'Too many requests without a valid token.', 60)
const idTooLong = problem('malformed_request', 'A batch id may have 256 characters.')

function createBatchDoor({ settings, sites, counter, journal, clientAddress, now }: DoorsDeps) {
  const { INGEST_LINES_PER_SECOND: perSecond, INGEST_LINES_MAX: linesMax } = settings
  const bucket = createBuckets(perSecond, Math.max(perSecond, linesMax), now)
  const failures = createFailures(settings.LIMIT_FAILED_AUTHENTICATION_PER_MINUTE, now)
  const read = createBodyReader(
    { wireBytesMax: settings.INGEST_BODY_BYTES_MAX, inflatedBytesMax: settings.INGEST_INFLATED_BYTES_MAX },
    now,
  )
  const tooManyLines = problem('payload_too_large', `A batch may have ${linesMax} lines. Send it in parts.`)

  /** What can be said before the body is read. */
  function refusal(site: IngestSite, path: string, request: Request, batchId: string): Problem | null {
    if (request.method !== 'POST' || (path !== '/v1/hits' && path !== '/v1/logs')) return noSuchAddress
    const reason = journal.refusal()
    if (reason) return problem('unavailable', `Hits cannot be taken now: ${reason}.`, 5)
    const wait = bucket.wait(site.site_id)
    if (wait > 0)
      return problem('quota_exceeded', `This forwarder sends more than ${perSecond} lines a second.`, wait)
    return batchId.length > 256 ? idTooLong : null
  }

  return async (request: Request, path: string, address: string | null, refuse: Refuse) => {
    const token = bearerOf(request.headers)
    const site = token ? sites.byToken(token) : undefined
    if (!token || !site) {
      const client = clientAddress(address, request.headers.get('x-forwarded-for'))
      return refuse(failures.isOver(client) ? tooManyFailures : unauthenticated)
    }
    const id = batchIdOf(request.headers)
    const refused = refusal(site, path, request, id)
    if (refused) return refuse(refused)
    const body = await read(request)
    if ('code' in body) return refuse(body)
    try {
      const counted = await counter.count({
        ...{ site, text: body.text },
        id: id ? sha256(`${site.site_id}\nid\n${id}`).slice(0, 32) : null,
        // The token makes it useless for guessing what a body held, an address among it.
        bodyId: () => bodyIdOf(token, body.text),
        ...{ isRecent: true, linesMax },
      })
      if (!counted) return refuse(tooManyLines)
      bucket.charge(site.site_id, counted.lines)
      return new Response(JSON.stringify(counted.answer), answerHeaders)
    } catch (error) {
      if (!(error instanceof JournalRefusal)) throw error
      return refuse(problem('unavailable', `Hits cannot be taken now: ${error.message}.`, 5))
    } finally {
      body.release()
    }
  }
}

function createBeaconDoor(deps: DoorsDeps) {
  const { settings, sites, journal, now } = deps
  const perSecond = settings.INGEST_BEACONS_PER_SECOND
  const bucket = createBuckets(perSecond, perSecond * 10, now)
  const read = createBodyReader({ wireBytesMax: beaconBytesMax, inflatedBytesMax: beaconBytesMax }, now)

  return async (request: Request, name: string, refuse: Refuse) => {
    const isScript = name.endsWith('.js')
    const site = sites.byKey(isScript ? name.slice(0, -3) : name)
    if (!site?.is_active) return refuse(noSuchSite, openToAll)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isScript && isRead) return serveScript(site, request.headers)
    if (request.method === 'OPTIONS') return preflight()
    if (isScript || request.method !== 'POST') return refuse(noSuchAddress, openToAll)
    const wait = bucket.wait(site.site_id)
    if (wait > 0) return refuse(problem('quota_exceeded', 'Too many visits at once.', wait), openToAll)
    bucket.charge(site.site_id, 1)
    const reason = journal.refusal()
    if (reason) return refuse(problem('unavailable', `Visits cannot be taken now: ${reason}.`, 5), openToAll)
    const body = await read(request)
    if ('code' in body) return refuse(body, openToAll)
    try {
      const isCounted = await countArrival(deps, site, request.headers, body.text)
      return new Response(null, {
        status: 204,
        headers: { ...openToAll, 'x-counted': isCounted ? '1' : '0' },
      })
    } catch (error) {
      if (!(error instanceof JournalRefusal)) throw error
      return refuse(problem('unavailable', `Visits cannot be taken now: ${error.message}.`, 5), openToAll)
    } finally {
      body.release()
    }
  }
}

const answerHeaders = { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } }

const preflight = () =>
  new Response(null, {
    status: 204,
    headers: {
      ...openToAll,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '86400',
    },
  })

function health(journal: Journal): Response {
  const reason = journal.refusal()
  return Response.json(reason ? { status: 'unavailable', reason } : { status: 'ok' }, {
    status: reason ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  })
}

const bodyIdOf = (token: string, text: string) =>
  new Bun.CryptoHasher('sha256').update(token).update('\n').update(text).digest('hex').slice(0, 32)

const batchIdOf = (headers: Headers) =>
  headers.get('idempotency-key') ?? headers.get('x-amz-firehose-request-id') ?? ''

const bearerOf = (headers: Headers) =>
  /^Bearer ([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The path of a request's URL as it came, without a parse. */
function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.slice(start).search(/[?#]/)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : start + end)
}
