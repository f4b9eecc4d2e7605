import type { Row } from '../../contracts/entity'
import { messageOf } from '../../contracts/errors'
import { blameOf } from '../../contracts/service-fault'
import type { SyncOutcome, Syncs, SyncTarget } from '../../contracts/upkeep'
import { toStorable } from '../../contracts/values'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import { newId } from '../../process/ids'
import { ConflictError, type Documents } from '../../stores/documents/port'
import { BusinessLocation } from '../BusinessLocation'
import { SyncStatus } from './SyncStatus'

const errorMax = 500
type Changes = Partial<Row<typeof SyncStatus>>

/** One row for each target: which sync runs, and how the last one ended. */
export function createSyncs({ documents, clock }: { documents: Documents; clock: Clock }): Syncs {
  const write = async (target: SyncTarget, set: Changes, fresh: Changes) => {
    // A workspace may be deleted while something is read for it, and nothing of it must come back.
    if (!(await documents.collection(BusinessLocation).get(target.location_id))) return
    const now = clock.now().toISOString()
    const setOnInsert = {
      id: newId(SyncStatus.idPrefix, clock.now()),
      created_date: now,
      ...target,
      ...fresh,
    }
    const patch = { set: { ...set, updated_date: now }, setOnInsert, unset: ['error'] as const }
    const { unset, ...withError } = patch
    const change = set.error === undefined ? { ...withError, unset } : withError
    const upsert = () => documents.collection(SyncStatus).updateOne(rowOf(target), change, { upsert: true })
    // Of two that insert at once one is refused by the unique index, and then finds the row of the other.
    await upsert().catch((error) => (error instanceof ConflictError ? upsert() : Promise.reject(error)))
  }
  return {
    began: (target) =>
      write(
        target,
        { status: 'running', started_at: clock.now().toISOString() },
        { items_seen: 0, items_changed: 0, complete: false },
      ),
    failed: async (target, error) => {
      if (blameOf(error) === 'own_store') return
      const why = toStorable(messageOf(error).slice(0, errorMax))
      const finished_at = clock.now().toISOString()
      const none = { items_seen: 0, items_changed: 0, complete: false }
      await write(target, { status: 'failed', ...none, error: why, finished_at }, {})
    },
    ended: (target, outcome: SyncOutcome) =>
      write(
        target,
        {
          ...outcome,
          ...(outcome.error === undefined ? {} : { error: toStorable(outcome.error) }),
          finished_at: clock.now().toISOString(),
        },
        {},
      ),
  }
}

/** The row of a target. Its id is random like every other: ids of records must not be guessable. */
const rowOf = ({ workspace_id, location_id, kind, source }: SyncTarget) =>
  where.and(
    where.eq('workspace_id', workspace_id),
    where.eq('location_id', location_id),
    where.eq('kind', kind),
    where.eq('source', source),
  )
