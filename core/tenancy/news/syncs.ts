import type { SyncOutcome, Syncs, SyncTarget } from '../../contracts/upkeep'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import { sha256Hex } from '../../process/crypto'
import type { Documents } from '../../stores/documents/port'
import { BusinessLocation } from '../BusinessLocation'
import { SyncStatus } from './SyncStatus'

/** One row for each target, changed in place: what runs, and how the last reading ended. */
export function createSyncs({ documents, clock }: { documents: Documents; clock: Clock }): Syncs {
  const write = async (target: SyncTarget, set: Record<string, unknown>, fresh: object) => {
    // A workspace may be deleted while something is read for it, and nothing of it must come back.
    if (!(await documents.collection(BusinessLocation).get(target.location_id))) return
    const id = await idOf(target)
    const now = clock.now().toISOString()
    const setOnInsert = { id, created_date: now, ...target, ...fresh }
    const patch = { set: { ...set, updated_date: now }, setOnInsert, unset: ['error'] }
    const { unset, ...withError } = patch
    const change = set.error === undefined ? { ...withError, unset } : withError
    await documents.collection(SyncStatus).updateOne(where.eq('id', id), change, { upsert: true })
  }
  return {
    began: (target) =>
      write(
        target,
        { status: 'running', started_at: clock.now().toISOString() },
        { items_seen: 0, items_changed: 0, complete: false },
      ),
    ended: (target, outcome: SyncOutcome) =>
      write(target, { ...outcome, finished_at: clock.now().toISOString() }, {}),
  }
}

/** A reading's row is found by what it reads. */
async function idOf({ workspace_id, location_id, kind, source }: SyncTarget): Promise<string> {
  const digest = await sha256Hex(JSON.stringify([workspace_id, location_id, kind, source]))
  return `syn_${digest.slice(0, 26).toUpperCase()}`
}
