import { type OwnerContext, where } from 'renown'
import type { Chain } from './ledger'
import { Review } from './Review'
import type { ReviewRow } from './reconcile'

const pageSize = 1_000
const bySourceId = [{ field: 'source_id', direction: 'asc' }] as const

/**
 * Every review that is held of a location and source, those that were removed among them. Page by page along the index of
 * theirs, since leaving out those of before costs more with each page; in between others have their turn.
 */
export async function storedReviews(
  ctx: OwnerContext,
  { location_id, source }: Pick<Chain, 'location_id' | 'source'>,
): Promise<ReviewRow[]> {
  const own = where.and(where.eq('location_id', location_id), where.eq('source', source))
  const found: ReviewRow[] = []
  for (let last = ''; ; ) {
    const behind = where.and(own, where.gt('source_id', last))
    const page = await ctx.rows(Review).list({ where: behind, sort: bySourceId, limit: pageSize })
    found.push(...page)
    last = page.at(-1)?.source_id ?? ''
    if (page.length < pageSize) return found
    await Bun.sleep(0)
  }
}
