import type { Rate, ReadContext } from 'renown'
import {
  countFigure,
  type Figure,
  frozenCount,
  frozenRate,
  type QuotedText,
  type ReportSection,
  rateFigure,
  ratingFigure,
} from 'renown/reports'
import { formatDay } from 'renown/web'
import * as v from 'valibot'
import { type figuresOf, writtenIn } from '../operations/tally'
import { visibleReviews } from '../operations/visible'
import { logHeads } from '../proof/logHeads'
import { Review } from '../records/Review'
import { platformOf } from '../sources/source-of'
import { analyticsOf } from './period-analytics'

const average = v.nullable(v.number())
const totals = v.object({
  reviews: frozenCount,
  rated: frozenCount,
  average_rating: average,
  replied: frozenCount,
  response_rate: frozenRate,
  positive_share: frozenRate,
  negative_share: frozenRate,
})
const data = v.object({
  is_whole: v.boolean(),
  totals,
  previous: totals,
  by_rating: v.array(
    v.object({ stars: v.nullable(frozenCount), reviews: frozenCount, previous_reviews: frozenCount }),
  ),
  by_source: v.array(v.object({ source: v.string(), reviews: frozenCount, average_rating: average })),
  trend: v.array(v.object({ from: v.string(), reviews: frozenCount, average_rating: average })),
  topics: v.array(v.object({ topic: v.string(), reviews: frozenCount, negative: frozenCount })),
  notable: v.array(
    v.object({
      text: v.string(),
      source: v.string(),
      at: v.string(),
      author: v.optional(v.string()),
      stars: v.optional(v.nullable(v.number())),
      lang: v.optional(v.string()),
    }),
  ),
  unanswered: frozenCount,
  /** The ends of the observation logs. Absent in reports of earlier versions. */
  log_heads: v.optional(v.array(v.object({ source: v.string(), entry: frozenCount, hash: v.string() }))),
})

/** The frozen data about the reviews of a period. */
export type ReviewsData = v.InferOutput<typeof data>

const readMax = 200
const quoteMax = 400

/** New reviews of a period: how many, how good, about what. */
export const reviewsSection: ReportSection<ReviewsData> = {
  name: 'reviews',
  title: 'Reviews',
  data,
  definitions: [
    {
      id: 'new_reviews@1',
      name: 'New reviews',
      text: 'Reviews whose day of writing, in the time zone of the workspace, is in the period. Reviews that their platform removed are not counted.',
    },
    {
      id: 'average_rating@1',
      name: 'Average rating',
      text: "The mean of the stars of the new reviews with stars. From 10 reviews on, it has a 95 % interval by Student's t. It is not the rating that the platform shows, which covers all years.",
    },
    {
      id: 'reviews.positive_share@1',
      name: 'Positive reviews',
      text: 'Share of reviews with four or five stars, among those with stars, with a 95 % Wilson interval.',
    },
  ],
  async collect(ctx, scope) {
    const { now, before } = await analyticsOf(ctx, scope)
    const notable = await notableIn(ctx.reads, scope.location.id, scope.period)
    const heads = await logHeads(ctx.reads, scope.location.id)
    return {
      is_whole: now.read_in_whole && before.read_in_whole,
      totals: frozenTotals(now.totals),
      previous: frozenTotals(before.totals),
      by_rating: now.by_rating.map(({ stars, reviews }, place) => ({
        stars,
        reviews,
        previous_reviews: before.by_rating[place]?.reviews ?? 0,
      })),
      by_source: now.by_source
        .filter(({ reviews }) => reviews > 0)
        .map(({ source, reviews, average_rating }) => ({
          source: platformOf(ctx.reads, source).label,
          reviews,
          average_rating,
        })),
      trend: now.trend.points.map(({ date_from: from, reviews, average_rating }) => ({
        from,
        reviews,
        average_rating,
      })),
      topics: now.topics.top.slice(0, 10),
      notable,
      unanswered: now.totals.reviews - now.totals.replied,
      log_heads: heads.map(({ source, entry, hash }) => ({
        source: platformOf(ctx.reads, source).label,
        entry,
        hash,
      })),
    }
  },
  headline: (found) => [newReviews(found), averageRating(found)],
  score: ({ totals: { average_rating } }) =>
    average_rating === null ? null : { value: ((average_rating - 1) / 4) * 100, weight: 3 },
  notable: ({ notable }) => notable.map(quoted),
  blocks(found) {
    const {
      totals: now,
      previous,
      is_whole,
      by_rating,
      by_source,
      trend,
      topics,
      notable,
      unanswered,
    } = found
    if (now.reviews === 0 && previous.reviews === 0) {
      return [
        { kind: 'note', text: 'There were no new reviews in this period or in the one before.' },
        ...proofNotes(found),
      ]
    }
    return [
      {
        kind: 'figures',
        figures: [newReviews(found), averageRating(found), positiveShare(found)],
      },
      ...(is_whole ? [] : [{ kind: 'note' as const, text: partly }]),
      {
        kind: 'chart',
        title: 'New reviews',
        form: 'columns',
        unit: 'count',
        alt: `New reviews over the period: ${now.reviews} in all.`,
        labels: trend.map(({ from }) => formatDay(from, { year: false })),
        series: [{ name: 'Reviews', values: trend.map(({ reviews }) => reviews) }],
      },
      {
        kind: 'table',
        title: 'By rating',
        columns: [
          { label: 'Stars', type: 'text' },
          { label: 'This period', type: 'count' },
          { label: 'Before', type: 'count' },
        ],
        rows: by_rating
          .filter(({ reviews, previous_reviews }) => reviews + previous_reviews > 0)
          .map(({ stars, reviews, previous_reviews }) => [
            stars === null ? 'without stars' : `${stars}`,
            reviews,
            is_whole ? previous_reviews : null,
          ]),
      },
      ...(by_source.length < 2
        ? []
        : [
            {
              kind: 'table' as const,
              title: 'By platform',
              columns: [
                { label: 'Platform', type: 'text' as const },
                { label: 'Reviews', type: 'count' as const },
                { label: 'Average', type: 'rating' as const },
              ],
              rows: by_source.map(({ source, reviews, average_rating }) => [source, reviews, average_rating]),
            },
          ]),
      ...(topics.length === 0
        ? []
        : [
            {
              kind: 'chart' as const,
              title: 'What the reviews are about',
              form: 'bars' as const,
              unit: 'count' as const,
              alt: `The most frequent topics: ${topics.map(({ topic }) => topic).join(', ')}.`.slice(
                0,
                1_000,
              ),
              labels: topics.map(({ topic }) => topic.slice(0, 300)),
              series: [
                { name: 'Reviews', values: topics.map(({ reviews }) => reviews) },
                { name: 'Negative ones', values: topics.map(({ negative }) => negative) },
              ],
            },
          ]),
      ...(notable.length === 0
        ? []
        : [{ kind: 'evidence' as const, title: 'Reviews worth reading', items: notable.map(quoted) }]),
      ...(unanswered === 0
        ? []
        : [
            {
              kind: 'next' as const,
              items: [
                {
                  text: `Answer the ${unanswered === 1 ? 'review' : `${unanswered} reviews`} of this period without a reply.`,
                  href: '/app/reviews',
                },
              ],
            },
          ]),
      ...proofNotes(found),
    ]
  },
}

/** Says where the logs ended, so that the owner has a copy outside the database without doing anything. */
const proofNotes = ({ log_heads = [] }: ReviewsData) =>
  log_heads.map(({ source, entry, hash }) => ({
    kind: 'note' as const,
    text: `The log of the reviews from ${source} ended with entry ${entry}: ${hash}. Keep this report. With this text, \`renown review verify --head\` proves later that nobody changed the log.`,
  }))

/** Leaves out what the section does not show. */
const frozenTotals = ({
  positive_sentiment: _,
  ...shown
}: ReturnType<typeof figuresOf>): ReviewsData['totals'] => shown

const positiveShare = ({ totals: now, previous, is_whole }: ReviewsData): Figure =>
  rateFigure(
    {
      id: 'reviews.positive',
      label: 'Positive reviews',
      better: 'higher',
      evidence: '/app/reviews',
    },
    now.positive_share as Rate,
    is_whole ? (previous.positive_share as Rate) : undefined,
  )

const partly =
  'Older reviews of this location were not all read yet. It is not compared with the previous period.'

const newReviews = ({ totals: now, previous, is_whole }: ReviewsData): Figure =>
  countFigure(
    {
      id: 'reviews.new',
      label: 'New reviews',
      better: 'higher',
      definition: 'new_reviews@1',
      evidence: '/app/reviews',
    },
    now.reviews,
    is_whole ? previous.reviews : undefined,
  )

const averageRating = ({ by_rating: lines, is_whole }: ReviewsData): Figure =>
  ratingFigure(
    {
      id: 'reviews.average',
      label: 'Average rating',
      better: 'higher',
      evidence: '/app/reviews',
      definition: 'average_rating@1',
    },
    lines.map(({ stars, reviews: count }) => ({ stars, count })),
    is_whole ? lines.map(({ stars, previous_reviews: count }) => ({ stars, count })) : undefined,
  )

const quoted = ({ text, source, at, author, stars, lang }: ReviewsData['notable'][number]): QuotedText => ({
  quote: text,
  source,
  at,
  ...(author === undefined || author === '' ? {} : { author: author.slice(0, 300).toWellFormed() }),
  ...(stars === undefined || stars === null ? {} : { rating: stars }),
  ...(lang === undefined || lang === '' ? {} : { lang }),
})

/** Returns the longest of the worst and of the best reviews of the period, at most 4. */
async function notableIn(
  reads: ReadContext,
  location_id: string,
  period: { readonly date_from: string; readonly date_to: string },
): Promise<ReviewsData['notable']> {
  const rows = await reads.rows(Review).list({
    where: visibleReviews({ location_id }, ...writtenIn(period, reads.workspace.timezone)),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: readMax,
  })
  const texts = rows.filter(({ review_text = '' }) => review_text.trim() !== '')
  const longest = (stars: (given: number) => boolean) =>
    texts
      .filter(({ star_rating }) => typeof star_rating === 'number' && stars(star_rating))
      .toSorted((a, b) => (b.review_text ?? '').length - (a.review_text ?? '').length)
      .slice(0, 2)
  return [...longest((stars) => stars <= 3), ...longest((stars) => stars >= 4)].map((review) => ({
    text: cut(review.review_text ?? ''),
    source: platformOf(reads, review.source).label,
    at: review.review_created_at ?? '',
    ...(review.reviewer_name === undefined ? {} : { author: review.reviewer_name }),
    ...(review.star_rating === undefined ? {} : { stars: review.star_rating }),
    ...(review.review_language === undefined ? {} : { lang: review.review_language }),
  }))
}

const cut = (text: string) => {
  const characters = Array.from(text.trim())
  return characters.length > quoteMax ? `${characters.slice(0, quoteMax - 1).join('')}…` : characters.join('')
}
