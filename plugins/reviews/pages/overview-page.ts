import { hourMs, instantsOf, refuseOthers, where } from 'renown'
import { definePage, fileColumns, type PageContext } from 'renown/pages'
import type { Difference } from 'renown/web'
import type { InferOutput } from 'valibot'
import { originalOf } from '../analysis/translation'
import { countDifference, ratingDifference } from '../operations/differences'
import { getReviewAnalytics } from '../operations/getReviewAnalytics'
import { periodFigures } from '../operations/periodFigures'
import { visibleReviews } from '../operations/visible'
import { Review } from '../records/Review'
import { countWaiting } from './loadReviews'
import { reviewsStyle } from './reviews-style'

export const spans = [28, 90, 365] as const

/** A theme of the period, with a quote. */
export interface Theme {
  readonly topic: string
  readonly reviews: number
  readonly negative: number
  readonly quote: {
    readonly id: string
    readonly text: string
    readonly by: string | null
    readonly language: string | null
    readonly stars: number | null
  } | null
}

export interface OverviewData {
  readonly days: number
  readonly analytics: InferOutput<typeof getReviewAnalytics.output>
  readonly waiting: number
  /** How the average rating and the number of reviews differ from the previous period. */
  readonly changes: { readonly rating: Difference; readonly reviews: Difference }
  /** Median time to a reply in hours, over the newest answered reviews of the period. Null if there are none. */
  readonly reply_hours: number | null
  readonly reply_sample: number
  readonly themes: readonly Theme[]
}

const repliedMax = 1_000
const themesMax = 6
const quoteMax = 240

async function loadOverview(ctx: PageContext, query: URLSearchParams): Promise<OverviewData> {
  const days = spans.find((span) => String(span) === query.get('days')) ?? 28
  const [analytics, waiting] = await Promise.all([getReviewAnalytics.run(ctx, { days }), countWaiting(ctx)])
  const { period, previous_period: previous } = analytics
  const figures = await periodFigures(ctx, {}, { period, previous })
  const { now, before: earlier, isWhole, totals } = figures
  const changes = {
    rating: ratingDifference({ now: now.stars, before: earlier.stars, isWhole }),
    reviews: countDifference(totals.reviews, figures.earlier.reviews),
  }
  const { from, before } = instantsOf(analytics.period, ctx.workspace.timezone)
  const span = [where.gte('review_created_at', from), where.lt('review_created_at', before)]
  const sort = [{ field: 'review_created_at', direction: 'desc' }] as const
  const replied = await ctx.rows(Review).list({
    where: visibleReviews({}, ...span, where.ne('reply_created_at', null)),
    sort,
    limit: repliedMax,
    fields: ['review_created_at', 'reply_created_at'],
  })
  const hours = replied
    .map(
      (row) =>
        (Date.parse(String(row.reply_created_at)) - Date.parse(String(row.review_created_at))) / hourMs,
    )
    .filter((each) => each >= 0)
    .toSorted((a, b) => a - b)
  const themes: Theme[] = []
  for (const { topic, reviews, negative } of analytics.topics.top.slice(0, themesMax)) {
    const about = { op: 'all', field: 'key_topics', values: [topic] } as const
    const [row] = await ctx.rows(Review).list({
      where: visibleReviews({}, ...span, about, where.ne('review_text', null)),
      sort,
      limit: 1,
    })
    themes.push({ topic, reviews, negative, quote: row ? quoteOf(row) : null })
  }
  return {
    days,
    analytics,
    waiting,
    changes,
    reply_hours: medianOf(hours),
    reply_sample: hours.length,
    themes,
  }
}

const medianOf = (sorted: readonly number[]): number | null => {
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.floor(sorted.length / 2)]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

const quoteOf = (row: {
  readonly id: string
  readonly review_text?: string
  readonly reviewer_name?: string
  readonly review_language?: string
  readonly star_rating?: number | null
}) => ({
  id: row.id,
  text: [...originalOf(row.review_text)].slice(0, quoteMax).join(''),
  by: row.reviewer_name ?? null,
  language: row.review_language ?? null,
  stars: row.star_rating ?? null,
})

/** Figures of reviews: rating, replies and themes over a period. */
export const overviewPage = definePage<OverviewData>({
  path: '/app/reviews/overview',
  title: 'Review overview',
  module: new URL('./OverviewPage.tsx', import.meta.url),
  isStatic: true,
  load: loadOverview,
  async download(ctx, query) {
    refuseOthers(query, 'days', spans.map(String))
    const { analytics } = await loadOverview(ctx, query)
    return {
      columns: fileColumns({
        from: 'day',
        to: 'day',
        reviews: 'count',
        rated: 'count',
        average_rating: 'rating',
        replied: 'count',
      }),
      rows: analytics.trend.points.map((point) => [
        point.date_from,
        point.date_to,
        point.reviews,
        point.rated,
        point.average_rating,
        point.replied,
      ]),
    }
  },
  style: reviewsStyle,
})
