import { defineCommand, field, Refusal, requireRow } from 'renown'
import * as v from 'valibot'
import { Review } from '../records/Review'
import { proposedReply } from '../reply/proposedReply'
import { cancelReply, type ReplyAct, requestReply } from '../reply/requestReply'

const review_id = field.text('Id of the review')

/** Sends a reply to a review, or replaces its existing reply. */
export const sendReviewReply = defineCommand({
  name: 'review reply',
  summary: 'Send a reply to a review to its platform',
  input: v.strictObject({
    review_id,
    text: v.optional(field.text('The reply. The draft of the review if left out')),
    replace: v.optional(field.flag('Replace the reply that the review has'), false),
  }),
  positional: ['review_id'],
  proposal: proposedReply,
  async run(ctx, { review_id: id, text, replace }) {
    const review = await requireRow(ctx.rows(Review), 'review', id)
    const { reply_text, ai_suggested_response: draft } = review
    if (reply_text !== undefined && !replace) {
      throw new Refusal('conflict', 'The review has a reply. Use `--replace` to replace it.')
    }
    const words = text ?? draft
    if (words === undefined) {
      throw new Refusal('invalid_field', 'The review has no draft. Give the reply with `--text`.')
    }
    return shown(await requestReply(ctx, { review_id: id, text: words, replaces: reply_text }))
  },
})

/** Deletes the reply of a review at its platform. */
export const deleteReviewReply = defineCommand({
  name: 'review reply delete',
  summary: 'Delete the reply to a review from its platform',
  input: v.strictObject({ review_id }),
  positional: ['review_id'],
  async run(ctx, { review_id: id }) {
    const review = await requireRow(ctx.rows(Review), 'review', id)
    return shown(await requestReply(ctx, { review_id: id, replaces: review.reply_text }))
  },
})

/** Cancels a reply that is not sent yet. */
export const cancelReviewReply = defineCommand({
  name: 'review reply cancel',
  summary: 'Cancel a reply that was not sent yet',
  input: v.strictObject({ review_id }),
  positional: ['review_id'],
  async run(ctx, { review_id: id }) {
    const review = await requireRow(ctx.rows(Review), 'review', id)
    const act = await cancelReply(ctx, review)
    if (!act) throw new Refusal('conflict', 'No reply to this review is waiting to be sent.')
    return shown(act)
  },
})

const shown = ({ review_id: id, act, state, error, text, requested_at }: ReplyAct) => ({
  review_id: id,
  act,
  state,
  requested_at,
  ...(text === undefined ? {} : { text }),
  ...(error === undefined ? {} : { error }),
})
