import type { Row } from '../../contracts/entity'
import { dayMs, hourMs, minuteMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import { ConflictError, type Documents, type Patch } from '../../stores/documents/port'
import { ServicePace } from './ServicePace'

/** A token bucket of calls per minute. In no minute does it grant more than `perMinute` calls. */
export interface Bucket {
  readonly id: string
  readonly perMinute: number
  /** Calls that may be sent immediately after a pause. Part of `perMinute`. */
  readonly burst: number
}

/** The result of taking calls from a bucket. */
export interface Grant {
  readonly granted: number
  /** Wait until the next call, if no call was granted. */
  readonly waitMs: number
  /** Whether the service itself asked to wait. */
  readonly isClosed: boolean
}

const keptMs = dayMs
/** Longest wait that a service can ask for. */
const closedMaxMs = hourMs

/** Returns a bucket for a limit per minute. A part of its burst is reserved for calls that must not wait. */
export function bucketOf(id: string, perMinute: number, kept = 0): Bucket {
  const limit = Math.max(1, perMinute)
  const burst = Math.max(1, Math.min(kept + Math.ceil(limit / 60), Math.floor(limit / 2)))
  return { id, perMinute: limit, burst }
}

/** Returns the milliseconds between two calls at the highest rate. */
const intervalOf = ({ perMinute, burst }: Bucket) => minuteMs / Math.max(1, perMinute - burst)

/**
 * Returns how long a bucket stays closed. Ignores an end too far in the future, which a wrong clock stored.
 */
function closedFor(until: string | undefined, now: number): number {
  const closedMs = until === undefined ? 0 : Date.parse(until) - now
  return closedMs > closedMaxMs ? 0 : closedMs
}

/**
 * Token buckets in the documents, shared by all processes. Each change is a compare-and-set against the store's own clock. A row
 * holds one number, the time at which all granted calls are paid off (the generic cell rate algorithm).
 */
export function createBuckets({ documents, clock }: { documents: Documents; clock: Clock }) {
  const rows = documents.collection(ServicePace)
  const change = (id: string, patch: Patch<typeof ServicePace>, busyUntil?: number) => {
    const own = where.eq('id', id)
    const same = busyUntil === undefined ? own : where.and(own, where.eq('busy_until', busyUntil))
    return rows.updateOne(same, patch, { returning: 'after' })
  }
  const look = async (id: string): Promise<Row<typeof ServicePace>> => {
    for (;;) {
      const seen = await change(id, { setNow: { looked_at: 0 } })
      if (seen) return seen
      const at = clock.now().toISOString()
      const stamps = { created_date: at, updated_date: at, looked_at: at, expires_at: at }
      try {
        await rows.insert({ id, workspace_id: id, ...stamps, busy_until: 0 })
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
    }
  }
  return {
    /** Takes up to `wanted` calls, and leaves `spare` calls of the burst to others. */
    async take(bucket: Bucket, wanted: number, spare = 0): Promise<Grant> {
      const everyMs = intervalOf(bucket)
      const room = Math.max(1, bucket.burst - spare) * everyMs
      for (;;) {
        const { busy_until, closed_until, looked_at } = await look(bucket.id)
        const now = Date.parse(looked_at)
        const closedMs = closedFor(closed_until, now)
        if (closedMs > 0) return { granted: 0, waitMs: closedMs, isClosed: true }
        // If the clock went back, calls must not wait longer than for an empty bucket.
        const paidAt = Math.min(Math.max(busy_until, now), now + bucket.burst * everyMs)
        const free = Math.floor((now + room - paidAt) / everyMs + 1e-6)
        if (free < 1) return { granted: 0, waitMs: Math.ceil(paidAt + everyMs - now - room), isClosed: false }
        const granted = Math.min(free, wanted)
        const patch = { set: { busy_until: paidAt + granted * everyMs }, setNow: { expires_at: keptMs } }
        if (await change(bucket.id, patch, busy_until)) return { granted, waitMs: 0, isClosed: false }
      }
    },
    /** Grants no calls for this time in any process. A later end stays. */
    async close({ id }: Bucket, forMs: number): Promise<void> {
      const { looked_at, closed_until } = await look(id)
      const now = Date.parse(looked_at)
      const until = new Date(now + Math.min(Math.max(forMs, 1_000), closedMaxMs)).toISOString()
      const isWrong = closed_until !== undefined && Date.parse(closed_until) > now + closedMaxMs
      const end = isWrong ? { set: { closed_until: until } } : { max: { closed_until: until } }
      await change(id, { ...end, setNow: { expires_at: keptMs } })
    },
  }
}
