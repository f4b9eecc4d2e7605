import { type BatchDoorDeps, createBatchDoor } from './batch-door'
import type { BeaconDeps } from './beacon'
import { createBeaconDoor } from './beacon-door'
import { handshake } from './dialects'
import type { Journal } from './journal'
import { noSuchAddress, type Problem, problemResponse } from './problem'

export interface DoorsDeps extends BeaconDeps, BatchDoorDeps {
  /** The page that explains error codes. */
  readonly docs: string
}

/** Answers a request that has reached the ingest; `address` is the socket's peer. */
export type Doors = (request: Request, address: string | null) => Response | Promise<Response>

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
    if (path.startsWith('/s/')) return beacons(request, path.slice(3), refuse)
    if (path === '/healthz') return health(deps.journal)
    const greeting = handshake(request, path)
    if (greeting) return greeting
    if (path.startsWith('/v1/') || path === '/visits') return batches(request, path, address, refuse)
    return refuse(noSuchAddress)
  }
}

function health(journal: Journal): Response {
  const reason = journal.refusal()
  return Response.json(reason ? { status: 'unavailable', reason } : { status: 'ok' }, {
    status: reason ? 503 : 200,
    headers: { 'cache-control': 'no-store' },
  })
}

/** The path of a request's URL as it came, without a parse. */
function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.slice(start).search(/[?#]/)
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : start + end)
}
