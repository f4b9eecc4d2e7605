import { dayIn, dayMs, where } from 'renown'
import type { HomeNews, PageContext } from 'renown/pages'
import { formatCount, formatNumber } from 'renown/web'
import { visibleReviews } from '../operations/visible'
import { Review } from '../records/Review'

/**
 * Reviews written more than this long before the person's last visit are not news: a first sync found them.
 */
const backlogMs = 30 * dayMs

/** Returns news about the reviews that Renown found since then, and how many of them are bad. */
export async function reviewNews(ctx: PageContext, since: string): Promise<readonly HomeNews[]> {
  const written = new Date(Date.parse(since) - backlogMs).toISOString()
  const groups = await ctx.rows(Review).group({
    where: visibleReviews({}, where.gt('created_date', since), where.gte('review_created_at', written)),
    by: ['star_rating'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const sum = (rows: typeof groups) => rows.reduce((total, { n }) => total + Number(n), 0)
  const all = sum(groups)
  if (all === 0) return []
  const low = sum(groups.filter(({ star_rating }) => star_rating !== null && Number(star_rating) < 3))
  const words = formatCount(all, 'new review')
  const href = `/app/reviews?order=worst&from=${dayIn(ctx.workspace.timezone, new Date(since))}`
  return [
    low === 0
      ? { text: words, href, tone: 'plain' }
      : { text: `${words}, ${formatNumber(low)} below 3 stars`, href, tone: 'warn' },
  ]
}
