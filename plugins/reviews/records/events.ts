import { dayMs, defineEvent, field, type OwnerContext, type Row } from 'renown'
import * as v from 'valibot'
import { Review } from './Review'
import type { ReviewReply } from './ReviewReply'

type ReviewRow = Row<typeof Review>

const review_id = field.code('The review')
const id = 'rev_01JZ8M0000000000000000000A'

const aReview = v.strictObject({
  review_id,
  source: field.code('Platform of the review'),
  star_rating: v.optional(field.integer('Stars, if the platform has them', { min: 1, max: 5 })),
})

/** A new review. */
export const reviewReceived = defineEvent({
  name: 'review.received',
  summary: 'A review was found that is at most 30 days old. Older reviews of a new account are not events.',
  data: aReview,
  example: { review_id: id, source: 'google', star_rating: 5 },
})

/** A new review with few stars. */
export const reviewLowRating = defineEvent({
  name: 'review.low_rating',
  summary:
    'A review with one or two stars was found that is at most 30 days old. It is also a review.received.',
  data: aReview,
  example: { review_id: id, source: 'google', star_rating: 1 },
})

/** A review that its platform no longer shows. */
export const reviewRemoved = defineEvent({
  name: 'review.removed',
  summary: 'A complete sync no longer found a review at its platform.',
  data: v.strictObject({ review_id }),
  example: { review_id: id },
})

const by = field.oneOf(['automatic', 'person'], 'Who answered')

/** A reply that the platform shows. */
export const replyPublished = defineEvent({
  name: 'reply.published',
  summary: 'The platform accepted a reply to a review.',
  data: v.strictObject({ review_id, by }),
  example: { review_id: id, by: 'person' as const },
})

/** A reply that the platform does not show. */
export const replyFailed = defineEvent({
  name: 'reply.failed',
  summary: 'A reply to a review was not sent, or the platform rejected it.',
  data: v.strictObject({ review_id, by, reason: field.oneOf(['failed', 'rejected'], 'What happened') }),
  example: { review_id: id, by: 'automatic' as const, reason: 'failed' as const },
})

/** The events of reviews. */
export const reviewEvents = [reviewReceived, reviewLowRating, reviewRemoved, replyPublished, replyFailed]

const aboutReview = ({
  id,
  workspace_id,
  location_id,
}: Pick<ReviewRow, 'id' | 'workspace_id' | 'location_id'>) => ({
  workspace_id,
  location_id,
  entity: Review.name,
  entity_id: id,
})

/** How old a review may be to be an event. */
const newMs = 30 * dayMs
/** How long after its row was written a review may be published again, after a crash. */
const repeatMs = dayMs

/**
 * Publishes a new review. Call it again for a row that is found again: it does nothing for old rows, and an event is
 * recorded once.
 */
export async function publishReceived(ctx: OwnerContext, review: ReviewRow): Promise<void> {
  const now = ctx.now().getTime()
  const isOld = now - Date.parse(review.review_created_at ?? review.created_date) > newMs
  if (isOld || now - Date.parse(review.created_date) > repeatMs) return
  for (const { type, event } of receivedEvents(review)) await ctx.publish(type, event)
}

type Reviewed = Pick<ReviewRow, 'id' | 'workspace_id' | 'location_id' | 'source' | 'star_rating'>

/** Returns the events of a new review. */
export function receivedEvents(review: Reviewed) {
  const { id, source, star_rating } = review
  const data = { review_id: id, source, ...(typeof star_rating === 'number' ? { star_rating } : {}) }
  const event = { ...aboutReview(review), key: id, data }
  const types = (star_rating ?? 5) <= 2 ? [reviewReceived, reviewLowRating] : [reviewReceived]
  return types.map((type) => ({ type, event }))
}

/**
 * Publishes a removal that a sync proved. Can be repeated: a removal is known by when the source last returned the review, because
 * another sync may repeat what a killed one began.
 */
export function publishRemoved(
  ctx: OwnerContext,
  review: Parameters<typeof aboutReview>[0],
  seenAt: string,
): Promise<void> {
  const { type, event } = removedEvent(review, seenAt)
  return ctx.publish(type, event)
}

/** Returns the event of a removal. */
export const removedEvent = (review: Parameters<typeof aboutReview>[0], seenAt: string) => ({
  type: reviewRemoved,
  event: { ...aboutReview(review), key: `${review.id} ${seenAt}`, data: { review_id: review.id } },
})

/** Publishes the result of an automatic reply. A review has at most one. */
export const publishAutomatic = (
  ctx: OwnerContext,
  review: ReviewRow,
  outcome: 'published' | 'failed' | 'rejected',
): Promise<void> => publishReply(ctx, { ...aboutReview(review), key: `${review.id} automatic` }, outcome)

/** Publishes the result of a person's reply. */
export const publishPersonal = (
  ctx: OwnerContext,
  { review_id, workspace_id, location_id, act_id }: Row<typeof ReviewReply>,
  outcome: 'published' | 'failed' | 'rejected',
): Promise<void> => {
  const about = aboutReview({ id: review_id, workspace_id, location_id })
  return publishReply(ctx, { ...about, key: `${review_id} ${act_id}` }, outcome)
}

function publishReply(
  ctx: OwnerContext,
  about: ReturnType<typeof aboutReview> & { readonly key: string },
  outcome: 'published' | 'failed' | 'rejected',
): Promise<void> {
  const by = about.key.endsWith(' automatic') ? 'automatic' : 'person'
  const data = { review_id: about.entity_id, by } as const
  return outcome === 'published'
    ? ctx.publish(replyPublished, { ...about, data })
    : ctx.publish(replyFailed, { ...about, data: { ...data, reason: outcome } })
}
