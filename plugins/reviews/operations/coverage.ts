import { field, type Period, type ReadContext, where } from 'renown'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { type ReviewFilter, visibleReviews } from './visible'

const idsMax = 500

/** Whether the answer may miss reviews. */
export const readInWhole = field.flag(
  'Whether all reviews of every location with reviews in these periods were read at least once. If false, older reviews may be missing: counts of the previous period are too low, and averages are not compared',
)

/**
 * Returns the locations that have reviews in these days but were never synced completely, so that older
 * reviews may be missing.
 */
export async function readInPart(
  ctx: ReadContext,
  filter: ReviewFilter,
  { date_from, date_to }: Pick<Period, 'date_from' | 'date_to'>,
): Promise<ReadonlySet<string>> {
  const sums = await ctx.rows(Review).daySums({
    where: visibleReviews(filter),
    within: { date_from, date_to, timezone: ctx.workspace.timezone },
    by: ['location_id'],
  })
  const ids = sums.map(({ keys }) => String(keys.location_id))
  const found = new Set<string>()
  for (let from = 0; from < ids.length; from += idsMax) {
    const some = ids.slice(from, from + idsMax)
    const rows = await ctx.rows(ReviewedLocation).list({
      where: where.and(where.in('id', some), where.eq('last_full_review_sync_at', null)),
      fields: ['last_full_review_sync_at'],
      limit: idsMax,
    })
    for (const { id } of rows) found.add(id)
  }
  return found
}
