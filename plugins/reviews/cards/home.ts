import { periodOf, todayOf } from 'renown'
import type { HomeCard, HomeCardContent, HomeChange, PageContext } from 'renown/pages'
import { formatCount, formatNumber, formatPeriod } from 'renown/web'
import { type PeriodFigures, periodFigures } from '../operations/periodFigures'
import { trendOf } from '../operations/trend'
import { visibleReviews } from '../operations/visible'
import { countWaiting } from '../pages/loadReviews'
import { Review } from '../records/Review'
import { reviewNews } from './news'
import { rateChange, ratingChange } from './review-changes'
import { isReadingReviews } from './setup'

/** Days of the figures. The review overview shows the same days. */
const days = 28
const overview = `/app/reviews/overview?days=${days}`

/**
 * Shows the rating, the reply rate and the waiting reviews, or the first step if there are no reviews yet.
 */
export const reviewsCard: HomeCard = {
  name: 'reviews',
  title: 'Reviews',
  href: '/app/reviews',
  order: 15,
  async load(ctx) {
    const all = await ctx.rows(Review).count(visibleReviews({}))
    if (all === 0) return beforeReviews(ctx)
    const { period, previous } = periodOf({}, { today: todayOf(ctx), days })
    const [figures, waiting] = await Promise.all([
      periodFigures(ctx, {}, { period, previous }),
      countWaiting(ctx),
    ])
    const span = formatPeriod(period)
    const points = trendOf(figures.now, period, 'day')
    return [
      rating(figures, span, points),
      ...(waiting === 0 ? [] : [waitingReviews(waiting, all)]),
      replyRate(figures, span, points),
    ] satisfies HomeCardContent[]
  },
  news: reviewNews,
}

/** Shows the first step before there are reviews. Members cannot take it. */
async function beforeReviews(ctx: PageContext): Promise<HomeCardContent | null> {
  if (await isReadingReviews(ctx.system, ctx.workspace.id))
    return { text: 'Renown reads your platforms. It has not found a review yet.', state: 'info' }
  if (ctx.person.role !== 'owner') return null
  return {
    title: 'Connect your reviews',
    text: 'Connect a Google or Facebook account, and Renown reads the reviews of its locations.',
    href: '/app/settings/connections',
    state: 'todo',
  }
}

type Points = ReturnType<typeof trendOf>

const counted = (number: number) => formatCount(number, 'review')

function rating(figures: PeriodFigures, period: string, points: Points): HomeCardContent {
  const { average_rating, rated } = figures.totals
  const known = points.flatMap(({ average_rating: each }) => (each === null ? [] : [each]))
  return {
    title: 'Rating',
    href: overview,
    link: 'Review overview',
    state: 'info',
    period,
    figure: average_rating === null ? '–' : average_rating.toFixed(2),
    text: average_rating === null ? 'No review has stars.' : `${counted(rated)} with stars.`,
    ...(average_rating === null
      ? {}
      : {
          change: ratingChange({
            now: figures.now.stars,
            before: figures.before.stars,
            isWhole: figures.isWhole,
          }),
        }),
    definition:
      'The average stars of all reviews written in these days, in the time zone of the workspace. It is compared with the same number of days before. There is no comparison if a location was never read completely, or if one of the periods has no stars.',
    ...(known.length === 0
      ? {}
      : {
          series: {
            values: points.map((point) => point.average_rating),
            label: `Average rating per day, from ${known[0]?.toFixed(1)} to ${known.at(-1)?.toFixed(1)}. Days without stars are gaps.`,
          },
        }),
  }
}

const waitingReviews = (waiting: number, all: number): HomeCardContent => ({
  title: 'Reviews without a reply',
  href: '/app/reviews?needs=1',
  state: 'waiting',
  link: 'Answer them',
  figure: formatNumber(waiting),
  text: `Of ${counted(all)} in this workspace.`,
})

function replyRate(figures: PeriodFigures, period: string, points: Points): HomeCardContent {
  const { rate, k, n } = figures.totals.response_rate
  return {
    title: 'Reply rate',
    href: overview,
    link: 'Review overview',
    state: 'info',
    period,
    figure: rate === null ? '–' : `${Math.round(rate * 100)} %`,
    text: n === 0 ? 'No reviews.' : `${formatNumber(k)} of ${counted(n)}.`,
    ...(rate === null ? {} : { change: rateChange(figures) satisfies HomeChange }),
    definition:
      'The share of reviews written in these days that have a reply now. Older reviews had more time to get a reply, so a drop of a few points is normal.',
    series: {
      values: points.map(({ reviews, replied }) => (reviews === 0 ? null : replied / reviews)),
      label: `Reply rate per day: replies to ${formatNumber(k)} of ${counted(n)}. Days without reviews are gaps.`,
    },
  }
}
