import { actCommands, defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { shownTracker, trackerActs } from './tracker-acts'

const trackersMax = 1_000

const list = defineCommand({
  name: 'mention tracker list',
  summary: 'List the trackers of mentions',
  input: v.strictObject({ workspace_id: v.optional(field.text('Only trackers of this workspace')) }),
  async run(ctx, { workspace_id }) {
    const trackers = await ctx.rows(BrandTracker).list({
      where: workspace_id === undefined ? where.and() : where.eq('workspace_id', workspace_id),
      sort: [{ field: 'created_date', direction: 'asc' }],
      limit: trackersMax,
    })
    return { trackers: trackers.map(shownTracker) }
  },
})

/** The commands of trackers. */
export const trackerCommands = [list, ...actCommands(Object.values(trackerActs))]
