import { type ActResult, defineAct, field, type OwnerContext, Refusal } from 'renown'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import { personBasis } from '../reply/decideAct'
import { outcomeOfReply, prepareReply } from '../reply/proposedReply'
import { actOf, cancelReply, type ReplyAct, type ReplyRequest, requestReply } from '../reply/requestReply'
import { onReview, reviewSubject } from './of-review'

const sentText = v.optional(v.string(), '')
const requested = {
  action: 'location.review_reply_publish',
  what: 'Review reply requested',
  subject: reviewSubject,
} as const

/** Sends a reply to a review, or replaces its existing reply. */
export const replyToReview = defineAct({
  name: 'review reply',
  summary: 'Send a reply to a review to its platform',
  on: onReview,
  fields: {
    text: v.optional(field.text('The reply. The draft of the review if left out')),
    replace: v.optional(field.flag('Replace the reply that the review has'), false),
  },
  // An empty text is refused as a reply. Without one, the draft is sent.
  forms: { text: sentText },
  seen: { replaces: sentText, basis: v.string() },
  label: 'Send reply',
  done: { sent: 'Reply queued. It is sent in a moment.' },
  undo: 'review reply cancel',
  audit: requested,
  proposal: {
    takes: ['text'],
    prepare: (ctx, { review_id, text }) => prepareReply(ctx, String(review_id), text),
    seen: (basis) => ({ replaces: '', basis: basis.split(' ')[0] ?? '' }),
    outcome: outcomeOfReply,
  },
  run(ctx, { row, input: { text = row.ai_suggested_response, replace }, seen }) {
    if (!seen && row.reply_text !== undefined && !replace)
      throw new Refusal('conflict', 'The review has a reply. Use `--replace` to replace it.')
    if (text === undefined)
      throw new Refusal('invalid_field', 'The review has no draft. Give the reply with `--text`.')
    return request(
      ctx,
      row,
      seen
        ? { text, basis: seen.basis, replaces: seen.replaces || undefined }
        : { text, replaces: row.reply_text },
    )
  },
})

/** Sends the draft of a review that a person approved together with others. */
export const approveDraft = defineAct({
  name: 'review draft send',
  summary: 'Send the draft of a review, after the checks of automatic replies',
  on: onReview,
  label: 'Send replies',
  done: 'Replies queued. They are sent in a moment.',
  undo: 'review reply cancel',
  seen: { mark: v.string() },
  isPageOnly: true,
  audit: requested,
  run(ctx, { row, seen }) {
    if (seen && seen.mark !== draftMark(row))
      throw new Refusal('conflict', 'The review or its draft changed since you opened this page.')
    return request(ctx, row, { text: row.ai_suggested_response ?? '', is_approved: true })
  },
})

/** Identifies the draft and the version of the review that a person approves. */
export const draftMark = (review: ReviewRow): string =>
  `${review.id}~${personBasis(review)}~${Bun.hash.crc32(review.ai_suggested_response ?? '').toString(36)}`

/** Returns the id of the review of a mark. */
export const reviewOfMark = (mark: string): string => mark.split('~', 1)[0] ?? ''

/** Deletes the reply of a review at its platform. */
export const deleteReviewReply = defineAct({
  name: 'review reply delete',
  summary: 'Delete the reply to a review from its platform',
  on: onReview,
  seen: { replaces: v.string() },
  label: 'Delete reply',
  done: { deleted: 'Deletion queued. The reply is deleted in a moment.' },
  question: 'Delete this reply? The review waits for a reply again.',
  undo: 'review reply cancel',
  audit: {
    action: 'location.review_reply_delete',
    what: 'Review reply deletion requested',
    subject: reviewSubject,
  },
  run: (ctx, { row, seen }) => request(ctx, row, { replaces: seen ? seen.replaces : row.reply_text }),
})

/** Cancels a reply that is not sent yet. */
export const cancelReviewReply = defineAct({
  name: 'review reply cancel',
  summary: 'Cancel a reply that was not sent yet',
  on: onReview,
  label: 'Cancel reply',
  done: { cancelled: 'Reply cancelled. Nothing was sent.' },
  async run(ctx, { row }) {
    const act = await cancelReply(ctx, row)
    if (act) return { answer: shown(act) }
    throw new Refusal('conflict', 'It is too late: no reply to this review is waiting to be sent.')
  },
})

async function request(
  ctx: OwnerContext,
  row: ReviewRow,
  asked: Omit<ReplyRequest, 'review_id'>,
): Promise<ActResult> {
  const before = await actOf(ctx, row)
  const act = await requestReply(ctx, { review_id: row.id, ...asked })
  return { answer: shown(act), isChanged: act.act_id !== before?.act_id, queued: act.act_id }
}

const shown = ({ review_id: id, act, state, error, text, requested_at }: ReplyAct) => ({
  review_id: id,
  act,
  state,
  requested_at,
  ...(text === undefined ? {} : { text }),
  ...(error === undefined ? {} : { error }),
})
