import { type OwnerContext, Refusal, type Row } from 'renown'
import { VisibilityTracker } from '../records/VisibilityTracker'

/** Returns a tracker that a command names. Throws a Refusal that says how to list them. */
export async function trackerOf(ctx: OwnerContext, id: string): Promise<Row<typeof VisibilityTracker>> {
  const tracker = await ctx.rows(VisibilityTracker).get(id)
  if (tracker) return tracker
  throw new Refusal('not_found', `There is no tracker ${id}. \`bun renown visibility list\` lists them.`)
}
