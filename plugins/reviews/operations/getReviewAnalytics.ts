import { defineOperation, field, periodInput, periodOf, periodSchema, todayOf } from 'renown'
import * as v from 'valibot'
import { namedPlatforms, platform } from '../records/platform'
import { readInWhole } from './coverage'
import { periodFigures } from './periodFigures'
import { averageOf, type Counted, figures, sum } from './tally'
import { complaints, readTopics, topics } from './topics'
import { fitting, intervals, point, trendOf } from './trend'

const sentiments = ['positive', 'neutral', 'mixed', 'negative'] as const
const count = (description: string) => field.integer(description, { min: 0 })
const average = v.nullable(field.number('Average of the stars; null if there are none', { min: 1, max: 5 }))

const shares = ['response_rate', 'positive_share', 'negative_share', 'positive_sentiment']

/** Returns the review figures of a period and of the previous one. */
export const getReviewAnalytics = defineOperation({
  name: 'getReviewAnalytics',
  summary:
    'Reviews of a period: ratings, replies, sentiment, topics, complaints and trend, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  seldom: [
    'trend?interval',
    'topics.top[8]',
    ...['definition', 'ci95'].flatMap((name) => shares.map((share) => `previous.${share}.${name}`)),
  ],
  input: v.strictObject({
    ...periodInput,
    location_id: v.optional(field.text('Only reviews of this business location')),
    source: v.optional(platform('Only reviews from this platform')),
    interval: v.optional(
      field.oneOf(
        intervals,
        'Interval of the trend. Default: day for up to 35 days, week for up to 183, else month',
      ),
    ),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    timezone: field.code('Time zone of the days: that of the workspace'),
    read_in_whole: readInWhole,
    totals: v.object(figures),
    previous: v.object(figures),
    change: v.object({
      reviews: field.integer('Change of the number of reviews since the previous period'),
      average_rating: v.nullable(
        field.number(
          'Stars more than in the previous period; null if either has none, or was not read completely',
          {
            min: -4,
            max: 4,
          },
        ),
      ),
    }),
    by_rating: v.array(
      v.object({
        stars: v.nullable(field.integer('Stars; null: a source without stars', { min: 1, max: 5 })),
        reviews: count('Reviews'),
        previous_reviews: count('Reviews of the previous period'),
      }),
    ),
    by_sentiment: v.array(
      v.object({
        sentiment: v.nullable(field.oneOf(sentiments, 'Feeling of the text; null: not told')),
        reviews: count('Reviews'),
        previous_reviews: count('Reviews of the previous period'),
      }),
    ),
    by_source: v.array(
      v.object({
        source: platform('Platform'),
        reviews: count('Reviews'),
        rated: count('Those with stars'),
        average_rating: average,
      }),
    ),
    trend: v.object({
      interval: field.oneOf(intervals, 'Length of the stretches; weeks begin on Monday'),
      points: v.pipe(v.array(point), v.description('Every interval of the period, in order')),
    }),
    topics,
    complaints,
  }),
  async run(ctx, { location_id, source, interval, ...input }) {
    const { period, previous } = periodOf(input, { today: todayOf(ctx), days: 28 })
    const filter = { location_id, source }
    const [figures, named] = await Promise.all([
      periodFigures(ctx, filter, { period, previous }),
      readTopics(ctx, filter, period),
    ])
    const { now, before, totals, earlier, isWhole, change } = figures
    return {
      period,
      previous_period: previous,
      timezone: ctx.workspace.timezone,
      read_in_whole: isWhole,
      totals,
      previous: earlier,
      change,
      by_rating: byRating(now, before),
      by_sentiment: bySentiment(now, before),
      by_source: bySource(now),
      trend: {
        interval: interval ?? fitting(period.days),
        points: trendOf(now, period, interval ?? fitting(period.days)),
      },
      ...named,
    }
  },
})

const byRating = (now: Counted, before: Counted) =>
  [5, 4, 3, 2, 1, null].map((stars) => ({
    stars,
    reviews: sum(now.stars.filter((row) => row.stars === stars)),
    previous_reviews: sum(before.stars.filter((row) => row.stars === stars)),
  }))

const bySentiment = (now: Counted, before: Counted) =>
  [...sentiments, null].map((sentiment) => ({
    sentiment,
    reviews: sum(now.sentiments.filter((row) => row.sentiment === sentiment)),
    previous_reviews: sum(before.sentiments.filter((row) => row.sentiment === sentiment)),
  }))

const bySource = ({ stars }: Counted) =>
  [...new Set([...namedPlatforms, ...stars.map((row) => row.source)])].map((source) => {
    const rows = stars.filter((row) => row.source === source)
    const rated = sum(rows.filter((row) => row.stars !== null))
    return { source, reviews: sum(rows), rated, average_rating: averageOf(rows) }
  })
