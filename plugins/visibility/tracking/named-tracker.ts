import { type OwnerContext, type Row, requireRow } from 'renown'
import { VisibilityTracker } from '../records/VisibilityTracker'

/** Returns a tracker that a command names. Throws a Refusal that says how to list them. */
export const namedTracker = (ctx: OwnerContext, id: string): Promise<Row<typeof VisibilityTracker>> =>
  requireRow(ctx.rows(VisibilityTracker), 'tracker', id, '`bun renown visibility tracker list` lists them.')
