import type { OwnerContext } from '../contracts/plugin'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import type { Documents } from '../stores/documents/port'
import { JobLease } from './JobLease'
import { createLeases, isHeld } from './lease'

/** What processes of one store share locks with. */
export interface Turns {
  readonly owner: OwnerContext
  readonly documents: Documents
  readonly clock: Clock
}

/**
 * Runs work under a lock, one process at a time in an installation. An embedded store has one process and does not
 * wait.
 */
export async function oneAtATime<T>(
  { owner, documents, clock }: Turns,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (documents.kind === 'sqlite') return work()
  await documents.ensure([JobLease])
  const said = () => owner.log.info(`another process is at it: ${name}`)
  return taken({ documents, clock }, name, work, { lookEveryMs: 1_000, waits: said })
}

const lookEveryMs = 25

/**
 * Locks for commands: within one process in order of request, between processes by lease. Only for short work, well
 * within the time of a lease. Do not take the same lock again inside the work.
 */
export function createInTurn({
  documents,
  clock,
}: Pick<Turns, 'documents' | 'clock'>): OwnerContext['inTurn'] {
  let ready: Promise<void> | undefined
  const lines = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    ready ??= documents.ensure([JobLease]).catch((error) => {
      ready = undefined
      throw error
    })
    await ready
    const before = lines.get(name) ?? Promise.resolve()
    const turn = before.then(() => taken({ documents, clock }, `turn ${name}`, work, { lookEveryMs }))
    const ended = turn.catch(() => {})
    lines.set(name, ended)
    try {
      return await turn
    } finally {
      if (lines.get(name) === ended) lines.delete(name)
    }
  }
}

interface Waiting {
  /** At least this often it is looked whether the turn has come. */
  readonly lookEveryMs: number
  waits?(): void
}

async function taken<T>(
  { documents, clock }: Pick<Turns, 'documents' | 'clock'>,
  name: string,
  work: () => Promise<T>,
  { lookEveryMs, waits }: Waiting,
): Promise<T> {
  const leases = createLeases({ documents, clock, holder: newId('run', clock.now()) })
  for (;;) {
    const lease = await leases.acquire(name, { early: true })
    if (isHeld(lease)) return work().finally(() => lease.release({ afterMs: 0 }))
    waits?.()
    await Bun.sleep(Math.min(lease.waitMs, lookEveryMs))
  }
}
