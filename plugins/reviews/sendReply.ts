import { moveState, type OwnerContext, type QueueDeclaration, type Row, type Task, where } from 'renown'
import * as v from 'valibot'
import { autoResponse } from './autoResponse'
import { rulesOf } from './dueReplies'
import { Review } from './Review'
import { ReviewedLocation } from './ReviewedLocation'
import type { ReviewRow } from './reconcile'
import { sourceOf } from './sources'
import type { ReplySender, SentReply, StandingReply } from './sources/source'
import { judgedReply, writeReply } from './writeReply'

const payload = v.strictObject({ review_id: v.string() })

/** Answers one review in public, once: what may have been sent is looked for before anything is sent again. */
export const sendReply: QueueDeclaration<typeof payload> = {
  summary: 'Sends the automatic reply to a review',
  payload,
  atOnce: 4,
  attemptsMax: 5,
  async run(ctx, { review_id }, task) {
    const review = await ctx.rows(Review).get(review_id)
    if (review?.auto_response_status !== 'pending') return
    const location = await ctx.rows(ReviewedLocation).get(review.location_id)
    const source = location && sourceOf(ctx, location)
    const why = await skipReason(ctx, review, location)
    const isTaken = source?.replies && (source.replies.takes?.(review) ?? true)
    if (why !== null || !location || !source?.replies || !isTaken) {
      await settle(ctx, review, { auto_response_status: 'skipped' })
      return
    }
    await answer(ctx, { review, location, sender: source.replies, task })
  },
  async buried(ctx, { review_id }, error) {
    const review = await ctx.rows(Review).get(review_id)
    if (review?.auto_response_status !== 'pending') return
    await settle(ctx, review, { auto_response_status: 'failed', auto_response_error: error.message })
  },
}

interface Answering {
  readonly review: ReviewRow
  readonly location: Row<typeof ReviewedLocation>
  readonly sender: ReplySender
  readonly task: Task
}

async function answer(ctx: OwnerContext, { review, location, sender, task }: Answering): Promise<void> {
  const intent = task.saved.text
  const standing = await sender.find(ctx, location, review)
  if (standing !== null) {
    const isOwn = typeof intent === 'string' && words(standing.text) === words(intent)
    if (isOwn) await settleSent(ctx, review, standing.text, standing)
    else await settle(ctx, review, { ...shownReply(ctx, standing), auto_response_status: 'skipped' })
    return
  }
  const written =
    typeof intent === 'string'
      ? judgedReply(intent, review, location)
      : await writeReply(ctx, review, location)
  if (!written.isSendable) {
    const { reason, why, draft } = written
    await settle(ctx, review, {
      ...{ auto_response_status: 'skipped', auto_response_error: `${reason}: ${why}` },
      ...(draft === undefined ? {} : { ai_suggested_response: draft }),
    })
    return
  }
  const { text } = written
  await task.save({ text })
  await settleSent(ctx, review, text, await sender.send(ctx, location, review, text))
}

/** What somebody else wrote stays theirs, and counts as a reply where the source shows it. */
const shownReply = (ctx: OwnerContext, { text, rejected }: StandingReply) =>
  rejected === undefined ? repliedNow(ctx, text) : {}

const repliedNow = (ctx: OwnerContext, text: string) => ({
  ...{ reply_text: text, reply_created_at: ctx.now().toISOString(), needs_response: false },
})

/** A reply of ours that the source took: it stands there, or was rejected. */
async function settleSent(
  ctx: OwnerContext,
  review: ReviewRow,
  text: string,
  { rejected, metadata }: SentReply,
): Promise<void> {
  const extras = metadata ? { source_metadata: { ...review.source_metadata, ...metadata } } : {}
  const outcome =
    rejected === undefined
      ? { ...repliedNow(ctx, text), reply_updated_by: 'auto-response', auto_response_status: 'sent' as const }
      : { auto_response_error: rejected, auto_response_status: 'failed' as const }
  await settle(ctx, review, { ...extras, ...outcome })
}

/** Platforms change the white space of what they are sent. */
const words = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Why a pending reply is not sent when its time has come; null where it is. */
async function skipReason(
  ctx: OwnerContext,
  review: ReviewRow,
  location: Row<typeof ReviewedLocation> | null,
): Promise<string | null> {
  if (typeof review.removed_at_source_at === 'string') return 'removed'
  if (review.reply_text !== undefined) return 'answered'
  if (!location?.is_active || !location.auto_response_enabled) return 'opted out'
  const rules = await rulesOf(ctx, review.workspace_id)
  return rules?.is_enabled ? null : 'disabled'
}

/** Moves a reply that is still pending, and whatever else is known now; one that moved meanwhile stays as it is. */
async function settle(
  ctx: OwnerContext,
  { id }: ReviewRow,
  { auto_response_status: to, ...given }: Partial<ReviewRow>,
) {
  const moved = moveState(autoResponse, 'pending', to ?? 'failed', { now: ctx.now(), with: given })
  const pending = where.and(where.eq('id', id), where.eq('auto_response_status', 'pending'))
  await ctx.rows(Review).updateWhere(pending, moved as Partial<ReviewRow>)
}
