import { type Row, type Where, where } from 'renown'
import { Review } from '../records/Review'
import type { Chain, ReadableRows } from './ledger'

type ReviewRow = Row<typeof Review>

const pageSize = 1_000

/** Returns the condition for a location and source. */
export const reviewsOf = ({ location_id, source }: Pick<Chain, 'location_id' | 'source'>): Where =>
  where.and(where.eq('location_id', location_id), where.eq('source', source))

/**
 * Returns the condition for rows that the platform itself returned. It cannot be asked about rows from another source of the
 * same platform, so they neither prove nor contradict anything.
 */
export const returnedBy = ({ listing }: { readonly listing?: 'own' | 'imported' }): Where =>
  listing === 'own' ? where.ne('gbp_api_synced_at', null) : where.and()

/** Whether its source still has a review, as far as Renown knows. */
export const isVisible = (row: ReviewRow) => (row.removed_at_source_at ?? null) === null

/**
 * Reads the stored reviews of a location and source, including removed ones, page by page along their index.
 * Other work can run between pages.
 */
export const storedPages = (
  ctx: ReadableRows,
  chain: Pick<Chain, 'location_id' | 'source'>,
  wanted?: Where,
): AsyncGenerator<ReviewRow[]> =>
  ctx.rows(Review).pages({
    where: wanted === undefined ? reviewsOf(chain) : where.and(reviewsOf(chain), wanted),
    by: 'source_id',
    size: pageSize,
  })

/** Returns all of these reviews at once. */
export async function storedReviews(
  ctx: ReadableRows,
  chain: Pick<Chain, 'location_id' | 'source'>,
): Promise<ReviewRow[]> {
  const found: ReviewRow[] = []
  for await (const page of storedPages(ctx, chain)) found.push(...page)
  return found
}
