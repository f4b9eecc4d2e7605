import { where } from 'renown'
import type { ListChoices, PageContext } from 'renown/pages'
import { PostedLocation } from '../records/PostedLocation'

const locationsMax = 500

/** Returns the locations that posts can be written for, by name. */
export async function locationChoices(ctx: PageContext): Promise<ListChoices> {
  const rows = await ctx.rows(PostedLocation).list({
    where: where.eq('is_prospect', false),
    limit: locationsMax,
    fields: ['business_name'],
    sort: [{ field: 'id', direction: 'asc' }],
  })
  return rows
    .map(({ id, business_name }) => [id, business_name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
}
