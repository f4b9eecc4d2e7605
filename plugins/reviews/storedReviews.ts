import { type OwnerContext, where } from 'renown'
import type { Chain } from './ledger'
import { Review } from './Review'
import type { ReviewRow } from './reconcile'

const pageSize = 1_000
const byId = [{ field: 'id', direction: 'asc' }] as const

/** Every review that is held of a location and source, those that were removed among them. */
export async function storedReviews(
  ctx: OwnerContext,
  { location_id, source }: Pick<Chain, 'location_id' | 'source'>,
): Promise<ReviewRow[]> {
  const own = where.and(where.eq('location_id', location_id), where.eq('source', source))
  const found: ReviewRow[] = []
  for (;;) {
    const page = await ctx.rows(Review).list({ where: own, sort: byId, limit: pageSize, skip: found.length })
    found.push(...page)
    if (page.length < pageSize) return found
  }
}
