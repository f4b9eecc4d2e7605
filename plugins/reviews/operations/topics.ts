import { dayIn, field, type Period, type ReadContext, type Row } from 'renown'
import * as v from 'valibot'
import { Review } from '../records/Review'
import { writtenIn } from './tally'
import { type ReviewFilter, visibleReviews } from './visible'

const topicsMax = 20
const sampleMax = 1000
const complaintsMax = 8
const quotesMax = 5
/** Characters of a quote. `get_record` returns the whole text. */
const quoteMax = 240
const count = (description: string) => field.integer(description, { min: 0 })

/** What reviews are about. */
export const topics = v.object({
  sample: count(`Reviews the topics were counted over: the latest of the period, at most ${sampleMax}`),
  top: v.pipe(
    v.array(
      v.object({
        topic: field.text('What reviews are about'),
        reviews: count('Reviews about it'),
        negative: count('Number of those with negative text'),
      }),
    ),
    v.description(`Most mentioned first, at most ${topicsMax}`),
  ),
})

/** What people complain about. */
export const complaints = v.pipe(
  v.object({
    reviews: count('Reviews of the sample with one or two stars, or with negative text'),
    without_topic: count('Number of those that no topic is known of. Their quotes say more than the topics'),
    topics: v.pipe(
      v.array(
        v.object({
          topic: field.text('What they are about'),
          reviews: count('Number of those reviews'),
          all: count('Reviews of the sample about it, with those that do not complain'),
        }),
      ),
      v.description(`Most frequent first, at most ${complaintsMax}`),
    ),
    quotes: v.pipe(
      v.array(
        v.object({
          review_id: field.code('Review'),
          stars: v.nullable(field.integer('Its stars; null: a source without stars', { min: 1, max: 5 })),
          day: field.day('Day on which it was written'),
          text: field.text(`Its text, cut after ${quoteMax} characters`),
        }),
      ),
      v.description(`The newest with a text, at most ${quotesMax}`),
    ),
  }),
  v.description('Reviews that complain, and what they are about'),
)

interface Topic {
  readonly topic: string
  reviews: number
  negative: number
  complaining: number
}

/**
 * Counts topics over a sample of reviews, because stores cannot group by the members of lists. The answer
 * states the size of the sample.
 */
export async function readTopics(ctx: ReadContext, filter: ReviewFilter, { date_from, date_to }: Period) {
  const sample = await ctx.rows(Review).list({
    where: visibleReviews(filter, ...writtenIn({ date_from, date_to }, ctx.workspace.timezone)),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: sampleMax,
  })
  const dayOf = ({ review_created_at = '' }: Row<typeof Review>) =>
    dayIn(ctx.workspace.timezone, new Date(review_created_at))
  const named = namedTopics(sample)
  const complaining = sample.filter(complains)
  return {
    topics: {
      sample: sample.length,
      top: inOrder(named, 'reviews')
        .slice(0, topicsMax)
        .map(({ topic, reviews, negative }) => ({ topic, reviews, negative })),
    },
    complaints: {
      reviews: complaining.length,
      without_topic: complaining.filter(({ key_topics = [] }) => key_topics.length === 0).length,
      topics: inOrder(named, 'complaining')
        .filter((one) => one.complaining > 0)
        .slice(0, complaintsMax)
        .map(({ topic, reviews, complaining }) => ({ topic, reviews: complaining, all: reviews })),
      quotes: complaining
        .filter(({ review_text = '' }) => review_text.trim() !== '')
        .slice(0, quotesMax)
        .map((row) => ({
          review_id: row.id,
          stars: row.star_rating ?? null,
          day: dayOf(row),
          text: quoteOf(row.review_text ?? ''),
        })),
    },
  }
}

const complains = ({ star_rating, sentiment }: Row<typeof Review>): boolean =>
  (star_rating ?? 5) <= 2 || sentiment === 'negative'

function namedTopics(sample: readonly Row<typeof Review>[]): Topic[] {
  const counts = new Map<string, Topic>()
  for (const row of sample) {
    for (const topic of new Set(row.key_topics)) {
      const known = counts.get(topic) ?? { topic, reviews: 0, negative: 0, complaining: 0 }
      known.reviews++
      if (row.sentiment === 'negative') known.negative++
      if (complains(row)) known.complaining++
      counts.set(topic, known)
    }
  }
  return [...counts.values()]
}

const inOrder = (all: readonly Topic[], by: 'reviews' | 'complaining') =>
  [...all].sort((a, b) => b[by] - a[by] || (a.topic < b.topic ? -1 : 1))

const quoteOf = (text: string): string => {
  const letters = [...text.trim()]
  return letters.length > quoteMax ? `${letters.slice(0, quoteMax).join('')}…` : letters.join('')
}
