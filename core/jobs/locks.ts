import type { OwnerContext } from '../contracts/plugin'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import type { Documents } from '../stores/documents/port'
import { JobLease } from './JobLease'
import { createLeases, isLease } from './lease'

/** The store and clock that locks need. */
export interface LockDeps {
  readonly owner: OwnerContext
  readonly documents: Documents
  readonly clock: Clock
}

/**
 * Runs work under a lock, in one process of the installation at a time. An embedded store has only one
 * process, so it does not wait.
 */
export async function withInstallationLock<T>(
  { owner, documents, clock }: LockDeps,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (documents.kind === 'sqlite') return work()
  await documents.ensure([JobLease])
  const logWaiting = () => owner.log.info(`another process is at it: ${name}`)
  return underLease({ documents, clock }, name, work, { lookEveryMs: 1_000, waits: logWaiting })
}

const lookEveryMs = 25

/**
 * Locks for commands: within one process in order of request, between processes by lease. Only for short work, well
 * within the time of a lease. Do not take the same lock again inside the work.
 */
export function createLocks({
  documents,
  clock,
}: Pick<LockDeps, 'documents' | 'clock'>): OwnerContext['withLock'] {
  let ready: Promise<void> | undefined
  const lines = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    ready ??= documents.ensure([JobLease]).catch((error) => {
      ready = undefined
      throw error
    })
    await ready
    const before = lines.get(name) ?? Promise.resolve()
    const running = before.then(() => underLease({ documents, clock }, `turn ${name}`, work, { lookEveryMs }))
    const ended = running.catch(() => {})
    lines.set(name, ended)
    try {
      return await running
    } finally {
      if (lines.get(name) === ended) lines.delete(name)
    }
  }
}

interface Waiting {
  /** Interval at which a waiting process checks the lock. */
  readonly lookEveryMs: number
  waits?(): void
}

async function underLease<T>(
  { documents, clock }: Pick<LockDeps, 'documents' | 'clock'>,
  name: string,
  work: () => Promise<T>,
  { lookEveryMs, waits }: Waiting,
): Promise<T> {
  const leases = createLeases({ documents, clock, holder: newId('run', clock.now()) })
  for (;;) {
    const lease = await leases.acquire(name, { early: true })
    if (isLease(lease)) return work().finally(() => lease.release({ afterMs: 0 }))
    waits?.()
    await Bun.sleep(Math.min(lease.waitMs, lookEveryMs))
  }
}
