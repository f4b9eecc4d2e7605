import type { Row } from '../contracts/entity'
import { everything, type Where, where } from '../contracts/where'
import type { Clock } from '../process/clock'
import { ConflictError, type Documents, type Patch } from '../stores/documents/port'
import { JobLease } from './JobLease'

/** How long a holder may miss heartbeats before another takes over, and how often it sends one. */
export const leaseTimes = { ttlMs: 6_000, heartbeatMs: 2_000 } as const

export interface LeaseOptions {
  readonly documents: Documents
  readonly clock: Clock
  /** The name of this process, unique among all. */
  readonly holder: string
  readonly ttlMs?: number
  readonly heartbeatMs?: number
}

/** A task under a lease. `signal` aborts when the lease is lost, because another process may have started the task. */
export interface Lease {
  readonly name: string
  readonly fence: number
  readonly failures: number
  readonly signal: AbortSignal
  /**
   * Releases the task. It is due again after `afterMs`, with the last error. A run that an own store ended proves nothing, so the
   * failures and the error before it stay.
   */
  release(next: {
    readonly afterMs: number
    readonly error?: string
    readonly provesNothing?: boolean
  }): Promise<void>
}
/** Another process holds the lease, or the task is not due. Try again after this time. */
export interface NotNow {
  readonly waitMs: number
}

export const isLease = (outcome: Lease | NotNow): outcome is Lease => 'fence' in outcome

const longAgo = new Date(0).toISOString()

/** Releases all leases. For a store of one process at a time, when the previous process has ended. */
export async function freeLeases(documents: Documents): Promise<void> {
  await documents.ensure([JobLease])
  const freed = { inc: { fence: 1 }, setNow: { until: 0 } }
  await documents.collection(JobLease).updateMany(everything, freed)
}

/**
 * Creates leases in the documents store, by compare-and-set. A read returns the store's clock together with
 * the stored times. Taking a lease works only if its fence and time have not changed since.
 */
export function createLeases({
  documents,
  clock,
  holder,
  ttlMs = leaseTimes.ttlMs,
  heartbeatMs = leaseTimes.heartbeatMs,
}: LeaseOptions) {
  const collection = documents.collection(JobLease)
  const change = (condition: Where, patch: Patch<typeof JobLease>) =>
    collection.updateOne(condition, patch, { returning: 'after' })

  const look = async (name: string) => {
    const seen = await change(where.eq('id', name), { setNow: { looked_at: 0 } })
    if (seen) return seen
    await insertOnce(name)
    return change(where.eq('id', name), { setNow: { looked_at: 0 } })
  }

  const insertOnce = async (name: string) => {
    const stamp = clock.now().toISOString()
    const past = longAgo
    const dates = { created_date: stamp, updated_date: stamp }
    const times = { until: past, next_at: past, looked_at: past }
    try {
      await collection.insert({ id: name, workspace_id: name, ...dates, ...times, fence: 0, failures: 0 })
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
  }

  /** Acquires a task that is free and due. With `early`, even before it is due. */
  const acquire = async (name: string, { early = false } = {}): Promise<Lease | NotNow> => {
    const seen = await look(name)
    if (!seen) return { waitMs: heartbeatMs }
    const now = Date.parse(seen.looked_at)
    const taken = Date.parse(seen.until) - now
    if (taken > 0) return { waitMs: taken }
    const due = Date.parse(seen.next_at) - now
    if (due > 0 && !early) return { waitMs: due }
    const unchanged = where.and(
      where.eq('id', name),
      where.eq('fence', seen.fence),
      where.eq('until', seen.until),
    )
    const mine = await change(unchanged, { inc: { fence: 1 }, set: { holder }, setNow: { until: ttlMs } })
    return mine ? leaseOf(name, mine) : { waitMs: heartbeatMs }
  }

  const leaseOf = (name: string, { fence, failures }: Row<typeof JobLease>): Lease => {
    const mine = where.and(where.eq('id', name), where.eq('fence', fence), where.eq('holder', holder))
    const lost = new AbortController()
    let heard = performance.now()
    const heartbeat = async () => {
      try {
        if (await change(mine, { setNow: { until: ttlMs } })) heard = performance.now()
        else lost.abort(new Error(`Another process took over the lease ${name}`))
      } catch {
        // The store may be available again before the time is over.
      }
      if (performance.now() - heard > ttlMs) lost.abort(new Error(`The lease ${name} expired`))
      if (lost.signal.aborted) clearInterval(timer)
    }
    const timer = setInterval(heartbeat, heartbeatMs)
    return {
      name,
      fence,
      failures,
      signal: lost.signal,
      async release({ afterMs, error, provesNothing = false }) {
        clearInterval(timer)
        const failed = error !== undefined
        await change(mine, {
          // A heartbeat that arrives later finds another fence and changes nothing.
          inc: { fence: 1 },
          set: {
            ...(provesNothing ? {} : { failures: failed ? failures + 1 : 0 }),
            // Not the time now: a clock that is ahead would keep everyone out until the real time gets there.
            until: longAgo,
            ...(failed ? { last_error: error } : {}),
          },
          ...(failed || provesNothing ? {} : { unset: ['last_error'] }),
          setNow: { last_finished_at: 0, next_at: afterMs },
        })
      },
    }
  }

  return { acquire }
}
