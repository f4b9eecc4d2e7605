import {
  dayMs,
  isServiceFault,
  type OwnerContext,
  type QueueDeclaration,
  recoverIf,
  ServiceFault,
  where,
} from 'renown'
import * as v from 'valibot'
import { judgementDigest } from '../proof/judgementDigest'
import { logOwn } from '../proof/ledger'
import { Review } from '../records/Review'
import { priorityOf } from './analyse'
import { topics } from './lexicon'
import type { ReviewRow } from './reconcile'
import { originalOf } from './translation'

const payload = v.strictObject({ review_id: v.string() })
/** Older reviews keep the result of the word lists, because a first import would use up the day's calls. */
const newestDays = 30
const textMax = 4_000

const sentiments = ['positive', 'neutral', 'negative', 'mixed'] as const
const emotions = ['joy', 'anger', 'sadness', 'fear', 'surprise', 'disgust', 'neutral'] as const

/** Accepts only fixed words and numbers, so that no text of a review can pass through the model. */
export const answer = v.strictObject({
  language: v.nullable(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/))),
  sentiment: v.picklist(sentiments),
  sentiment_score: v.pipe(v.number(), v.minValue(-1), v.maxValue(1)),
  emotion: v.picklist(emotions),
  topics: v.pipe(v.array(v.picklist(topics)), v.maxLength(5)),
  is_urgent: v.boolean(),
})

/**
 * Analyzes a review with the language model, if there is one. Until then the analysis by stars and words is
 * used. The row says that it waits, so a crash or an edit cannot lose it.
 */
export const analyseReview: QueueDeclaration<typeof payload> = {
  summary: 'Has a review judged by the language model',
  payload,
  atOnce: 2,
  attemptsMax: 4,
  async run(ctx, { review_id }, { signal }) {
    const review = await ctx.rows(Review).get(review_id)
    if (!review?.analysis_due) return
    const judged = isJudged(ctx, review) ? await judge(ctx, review, signal) : {}
    if (Object.keys(judged).length > 0) {
      await logOwn(ctx, review, { judged: judgementDigest({ ...review, ...judged }) })
    }
    const kept = await settle(ctx, review, judged)
    if (!kept)
      throw new ServiceFault('transient', 'The text of the review changed while it was being analysed')
  },
  async onDeadLetter(ctx, { review_id }) {
    const review = await ctx.rows(Review).get(review_id)
    if (review?.analysis_due) await settle(ctx, review, {})
  },
}

/**
 * Returns the model's analysis of a review, or nothing if there is none. The review then keeps its analysis
 * without a model.
 */
async function judge(ctx: OwnerContext, review: ReviewRow, signal: AbortSignal): Promise<Partial<ReviewRow>> {
  const { model } = ctx.outbound
  const { id, workspace_id, star_rating = null, review_text } = review
  const keep = ({ message: why }: ServiceFault) => {
    ctx.log.info('a review keeps its judgement by words', { review_id: id, why })
    return null
  }
  const told = await model
    .ask({
      name: 'review_analysis',
      instructions,
      answer,
      workspace_id,
      signal,
      isBackground: true,
      data: { stars: star_rating, text: originalOf(review_text).slice(0, textMax) },
    })
    .catch(recoverIf(isLasting, keep))
  return told === null ? {} : judgementOf(review, told, model.generator)
}

/** Whether asking the model again would not help. */
const isLasting = (error: unknown): error is ServiceFault =>
  isServiceFault(error) && error.kind !== 'transient' && error.kind !== 'rate'

/** Stores the analysis. Null if the text changed in the meantime. */
const settle = (ctx: OwnerContext, { id, review_text }: ReviewRow, judged: Partial<ReviewRow>) =>
  ctx.rows(Review).updateWhere(where.and(where.eq('id', id), where.eq('review_text', review_text ?? null)), {
    ...judged,
    analysis_due: undefined,
  })

/** Queues a review that waits for its analysis. Idempotent. */
export async function enqueueAnalysis(
  ctx: OwnerContext,
  { id, workspace_id, analysis_due }: ReviewRow,
): Promise<void> {
  if (!analysis_due || !ctx.outbound.model.isConfigured) return
  await ctx.enqueue('analyse-review', { workspace_id, key: id, payload: { review_id: id } })
}

/** Whether the language model should analyse a new or edited review. Written with the row. */
export const analysisMark = (ctx: OwnerContext, review: Judged) => ({
  analysis_due: isJudged(ctx, review) ? true : undefined,
})

type Judged = Partial<
  Pick<ReviewRow, 'review_text' | 'review_updated_at' | 'review_created_at' | 'removed_at_source_at'>
>

function isJudged(ctx: OwnerContext, { review_text = '', removed_at_source_at = null, ...review }: Judged) {
  const changed = review.review_updated_at ?? review.review_created_at ?? ctx.now().toISOString()
  const isNew = ctx.now().getTime() - Date.parse(changed) <= newestDays * dayMs
  return ctx.outbound.model.isConfigured && review_text !== '' && removed_at_source_at === null && isNew
}

const instructions =
  "Judge one customer's review of a business. `language` is the BCP 47 tag of its text, null if it is unknown." +
  '`sentiment` is mixed only where it clearly praises and clearly complains. `sentiment_score` runs from -1 to 1. ' +
  '`emotion` is the strongest one in the text, neutral where there is none. `topics` are at most five that the text ' +
  'speaks of. `is_urgent` is true only where it tells of danger to health or safety, of discrimination or of the law.'

/** Limits the model by the stars: if it contradicts them, the sentiment is at most `mixed`. */
function judgementOf(review: ReviewRow, told: v.InferOutput<typeof answer>, analysis_method: string) {
  const { language, is_urgent, topics: key_topics, emotion } = told
  const stars = review.star_rating ?? null
  const opposite = { positive: 'negative', negative: 'positive', none: null }[priorOf(review)]
  const isOpposite = told.sentiment === opposite
  const sentiment = isOpposite ? 'mixed' : told.sentiment
  const bound = isOpposite ? 0.5 : 1
  return {
    sentiment,
    emotion,
    key_topics,
    analysis_method,
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
