import { type OwnerContext, type WriteContext, where } from 'renown'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import type { TrackerRows } from './begin-tracking'

const oldest = (locationId: string) => ({
  where: where.eq('location_id', locationId),
  sort: [{ field: 'created_date', direction: 'asc' as const }],
  limit: 1,
})

/** The rows of an operation's workspace. */
export const trackerRowsOf = (ctx: Pick<WriteContext, 'rows'>): TrackerRows => ({
  location: (id) => ctx.rows(BusinessLocation).get(id),
  first: async (locationId) => (await ctx.rows(BrandTracker).list(oldest(locationId)))[0],
  insert: (row) => ctx.rows(BrandTracker).insert(row),
})

/** The rows of a command or a form, limited to one workspace. */
export const trackerRowsIn = (ctx: OwnerContext, workspace_id: string): TrackerRows => ({
  async location(id) {
    const location = await ctx.rows(BusinessLocation).get(id)
    return location?.workspace_id === workspace_id ? location : null
  },
  first: async (locationId) => (await ctx.rows(BrandTracker).list(oldest(locationId)))[0],
  insert: (row) => ctx.rows(BrandTracker).insert({ ...row, workspace_id }),
})
