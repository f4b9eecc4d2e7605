import type { Clock } from '../clock'
import type { OwnerContext } from '../contracts/plugin'
import { newId } from '../ids'
import type { Documents } from '../stores/documents/port'
import { JobLease } from './JobLease'
import { createLeases, isHeld } from './lease'

/** What processes that share one store take turns by. */
export interface Turns {
  readonly owner: OwnerContext
  readonly documents: Documents
  readonly clock: Clock
}

/** Runs work that must not run twice at once in an installation. An embedded store has one process, and no need to wait. */
export async function oneAtATime<T>(
  { owner, documents, clock }: Turns,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (documents.kind === 'sqlite') return work()
  await documents.ensure([JobLease])
  const leases = createLeases({ documents, clock, holder: newId('run', clock.now()) })
  for (;;) {
    const lease = await leases.acquire(name, { early: true })
    if (isHeld(lease)) return work().finally(() => lease.release({ afterMs: 0 }))
    owner.log.info(`another process is at it: ${name}`)
    await Bun.sleep(Math.min(lease.waitMs, 1_000))
  }
}
