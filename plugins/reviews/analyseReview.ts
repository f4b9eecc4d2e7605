import { isServiceFault, type OwnerContext, type QueueDeclaration, where } from 'renown'
import * as v from 'valibot'
import { priorityOf } from './analyse'
import { topics } from './lexicon'
import { Review } from './Review'
import type { ReviewRow } from './reconcile'

const payload = v.strictObject({ review_id: v.string() })
const dayMs = 86_400_000
/** Older ones are left to the lists of words: a first import would use up the day's calls. */
const newestDays = 30
const textMax = 4_000

const sentiments = ['positive', 'neutral', 'negative', 'mixed'] as const
const emotions = ['joy', 'anger', 'sadness', 'fear', 'surprise', 'disgust', 'neutral'] as const

/** Closed lists and numbers alone: whatever a review makes a model say, no words of it come through. */
const answer = v.strictObject({
  language: v.nullable(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/))),
  sentiment: v.picklist(sentiments),
  sentiment_score: v.pipe(v.number(), v.minValue(-1), v.maxValue(1)),
  emotion: v.picklist(emotions),
  topics: v.pipe(v.array(v.picklist(topics)), v.maxLength(5)),
  is_urgent: v.boolean(),
})

/** Has a review judged by the language model, where there is one. What the stars and the words said stands until then. */
export const analyseReview: QueueDeclaration<typeof payload> = {
  summary: 'Has a review judged by the language model',
  payload,
  atOnce: 2,
  attemptsMax: 4,
  async run(ctx, { review_id }, { signal }) {
    const review = await ctx.rows(Review).get(review_id)
    const { model } = ctx.outbound
    if (!review || !isJudged(ctx, review) || review.analysis_method === model.generator) return
    try {
      const told = await model.ask({
        ...{ name: 'review_analysis', instructions, answer, workspace_id: review.workspace_id, signal },
        data: { stars: review.star_rating ?? null, text: review.review_text?.slice(0, textMax) },
      })
      const same = where.and(where.eq('id', review_id), where.eq('review_text', review.review_text ?? null))
      await ctx.rows(Review).updateWhere(same, judgementOf(review, told, model.generator))
    } catch (error) {
      // The day's calls are for replies too; a judgement without a model is there already.
      const isOver = isServiceFault(error) && error.kind !== 'transient' && error.kind !== 'rate'
      if (!isOver) throw error
      ctx.log.info('a review keeps its judgement by words', { review_id, why: error.message })
    }
  },
}

/** Puts a review that is new or has new words into the queue, if there is a model to judge it. */
export async function enqueueAnalysis(ctx: OwnerContext, review: ReviewRow): Promise<void> {
  if (!isJudged(ctx, review)) return
  const { id, workspace_id } = review
  await ctx.enqueue('analyse-review', { workspace_id, key: id, payload: { review_id: id } })
}

function isJudged(ctx: OwnerContext, review: ReviewRow): boolean {
  const { review_text = '', removed_at_source_at = null } = review
  const changed = review.review_updated_at ?? review.review_created_at ?? review.created_date
  const isNew = ctx.now().getTime() - Date.parse(changed) <= newestDays * dayMs
  return ctx.outbound.model.isConfigured && review_text !== '' && removed_at_source_at === null && isNew
}

const instructions =
  "Judge one customer's review of a business. `language` is the BCP 47 tag of its text, null where it cannot be told. " +
  '`sentiment` is mixed only where it clearly praises and clearly complains. `sentiment_score` runs from -1 to 1. ' +
  '`emotion` is the strongest one in the text, neutral where there is none. `topics` are at most five that the text ' +
  'speaks of. `is_urgent` is true only where it tells of danger to health or safety, of discrimination or of the law.'

/** The stars cannot be talked away: a model that says their opposite makes them mixed at most. */
function judgementOf(review: ReviewRow, told: v.InferOutput<typeof answer>, analysis_method: string) {
  const { language, is_urgent, topics: key_topics, emotion } = told
  const stars = review.star_rating ?? null
  const opposite = { positive: 'negative', negative: 'positive', none: null }[priorOf(review)]
  const isOpposite = told.sentiment === opposite
  const sentiment = isOpposite ? 'mixed' : told.sentiment
  const bound = isOpposite ? 0.5 : 1
  return {
    ...{ sentiment, emotion, key_topics, analysis_method },
    sentiment_score: Math.max(-bound, Math.min(bound, told.sentiment_score)),
    priority: is_urgent ? ('urgent' as const) : priorityOf(stars, sentiment),
    ...(language === null || review.review_language !== undefined ? {} : { review_language: language }),
  }
}

function priorOf({ star_rating, analysis_method = '', sentiment }: ReviewRow) {
  if (typeof star_rating === 'number')
    return star_rating > 3 ? 'positive' : star_rating < 3 ? 'negative' : 'none'
  const isTold = analysis_method.startsWith('recommendation')
  return isTold && (sentiment === 'positive' || sentiment === 'negative') ? sentiment : 'none'
}
