import { type OwnerContext, Refusal, type Row, type RowChanges } from 'renown'
import { BrandTracker } from './BrandTracker'

type Tracker = Row<typeof BrandTracker>

/**
 * Changes a tracker from its present values, one change at a time. `check` throws if the person saw other values. Two
 * people who save at once cannot overwrite each other without seeing it.
 */
export async function editTracker(
  ctx: Pick<OwnerContext, 'rows' | 'withLock'>,
  id: string,
  changesOf: (tracker: Tracker) => RowChanges<typeof BrandTracker>,
  check: (tracker: Tracker) => void = () => {},
): Promise<Tracker> {
  return ctx.withLock(`mention tracker ${id}`, async () => {
    const rows = ctx.rows(BrandTracker)
    const tracker = await rows.get(id)
    if (!tracker) throw noTracker(id)
    check(tracker)
    const changed = await rows.update(id, changesOf(tracker))
    if (!changed) throw noTracker(id)
    return changed
  })
}

const noTracker = (id: string) => new Refusal('not_found', `There is no tracker ${id}.`)
