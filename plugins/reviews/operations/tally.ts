import { type DaySum, field, instantsOf, type Period, type ReadContext, type Where, where } from 'renown'
import * as v from 'valibot'
import { Review } from '../records/Review'
import { negativeShare, positiveSentiment, positiveShare, responseRate } from './rates'
import { type ReviewFilter, visibleReviews } from './visible'

/** Counts per day or location: by source and rating, by sentiment, and of reviews with a reply. */
export interface Counted {
  readonly stars: readonly {
    day: string
    source: string
    location_id: string
    stars: number | null
    n: number
  }[]
  readonly sentiments: readonly { day: string; sentiment: string | null; n: number }[]
  readonly replied: readonly { day: string; location_id: string; n: number }[]
}

interface Span {
  readonly from: string
  readonly to: string
  /** Whether to count each day separately, or each location. The other one is empty. Default: `day`. */
  readonly by?: 'day' | 'location'
}

/** Counts the reviews of a span of days in the workspace's time zone. Always one read. */
export async function countReviews(
  ctx: ReadContext,
  filter: ReviewFilter,
  { from, to, by = 'day' }: Span,
): Promise<Counted> {
  const sums = await ctx.rows(Review).daySums({
    where: visibleReviews(filter),
    within: { date_from: from, date_to: to, timezone: ctx.workspace.timezone },
    by: by === 'location' ? ['source', 'location_id'] : ['source'],
    byDay: by === 'day',
  })
  return countedOf(sums)
}

/** Returns the counts of sums. */
export function countedOf(sums: readonly DaySum[]): Counted {
  const rows = sums.map(({ keys, day = '', values, set }) => ({
    day,
    source: String(keys.source ?? ''),
    location_id: String(keys.location_id ?? ''),
    values,
    replied: set.reply_text ?? 0,
  }))
  return {
    stars: rows.flatMap(({ day, source, location_id, values }) =>
      (values.star_rating ?? []).map(({ value, n }) => ({
        day,
        source,
        location_id,
        stars: value === null ? null : Number(value),
        n,
      })),
    ),
    sentiments: rows.flatMap(({ day, values }) =>
      (values.sentiment ?? []).map(({ value, n }) => ({
        day,
        sentiment: value === null ? null : String(value),
        n,
      })),
    ),
    replied: rows
      .filter(({ replied }) => replied > 0)
      .map(({ day, location_id, replied: n }) => ({ day, location_id, n })),
  }
}

/**
 * Returns the condition of the reviews that were written in a period, in a time zone. It matches exactly these, so that no figure
 * can count others, and a limit of rows is not used up by others.
 */
export function writtenIn(period: Pick<Period, 'date_from' | 'date_to'>, timezone: string): Where[] {
  const { from, before } = instantsOf(period, timezone)
  return [where.gte('review_created_at', from), where.lt('review_created_at', before)]
}

/** Returns the part of a count within a period. */
export function within(
  { stars, sentiments, replied }: Counted,
  { date_from, date_to }: Pick<Period, 'date_from' | 'date_to'>,
): Counted {
  const inside = ({ day }: { day: string }) => day >= date_from && day <= date_to
  return {
    stars: stars.filter(inside),
    sentiments: sentiments.filter(inside),
    replied: replied.filter(inside),
  }
}

const count = (description: string) => field.integer(description, { min: 0 })

/** The output fields about reviews. */
export const figures = {
  reviews: count('Reviews, by the day they were written. Reviews that their source removed are not counted'),
  rated: count('Those with stars'),
  average_rating: v.nullable(
    field.number('Average of the stars of rated reviews; null if there are none', {
      min: 1,
      max: 5,
    }),
  ),
  replied: count('Number of those with a reply'),
  response_rate: responseRate.schema,
  positive_share: positiveShare.schema,
  negative_share: negativeShare.schema,
  positive_sentiment: positiveSentiment.schema,
}

/** Returns the figures of counts. */
export function figuresOf({ stars, sentiments, replied }: Counted) {
  const rated = stars.filter((row) => row.stars !== null)
  const reviews = sum(stars)
  const told = sentiments.filter(({ sentiment }) => sentiment !== null)
  return {
    reviews,
    rated: sum(rated),
    average_rating: averageOf(rated),
    replied: sum(replied),
    response_rate: responseRate.of(sum(replied), reviews),
    positive_share: positiveShare.of(sum(rated.filter((row) => (row.stars ?? 0) >= 4)), sum(rated)),
    negative_share: negativeShare.of(sum(rated.filter((row) => (row.stars ?? 0) <= 2)), sum(rated)),
    positive_sentiment: positiveSentiment.of(
      sum(told.filter(({ sentiment }) => sentiment === 'positive')),
      sum(told),
    ),
  }
}

/** Returns the average of the stars to four decimal places. Rows without stars do not count. */
export function averageOf(
  rows: readonly { readonly stars: number | null; readonly n: number }[],
): number | null {
  const rated = rows.filter((row) => row.stars !== null)
  const n = sum(rated)
  return n === 0
    ? null
    : Math.round((rated.reduce((total, row) => total + (row.stars ?? 0) * row.n, 0) / n) * 1e4) / 1e4
}

/** Returns the number of reviews in rows of a count. */
export const sum = (rows: readonly { readonly n: number }[]): number =>
  rows.reduce((total, { n }) => total + n, 0)
