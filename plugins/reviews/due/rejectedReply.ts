import { moveState, type OwnerContext } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import type { SourceReview } from '../contract'
import { autoResponse } from '../records/autoResponse'
import { notifyRejectedReply } from './replyNotices'

/**
 * Returns the changes of a row whose source no longer shows its reply, and notifies people once. The
 * notification is sent first. If the process ends before the change, the rejection is found again.
 */
export async function settleRejected(
  ctx: OwnerContext,
  row: ReviewRow,
  { rejectedReply }: SourceReview,
): Promise<Partial<ReviewRow>> {
  const isSent = row.auto_response_status === 'sent'
  if (rejectedReply === undefined || !(isSent || row.reply_text !== undefined)) return {}
  const { text, reason } = rejectedReply
  await notifyRejectedReply(ctx, row, rejectedReply)
  const failed = isSent
    ? moveState(autoResponse, 'sent', 'failed', { now: ctx.now(), with: { auto_response_error: reason } })
    : {}
  // The text is kept as a draft, so that people can correct it.
  return { ...failed, ai_suggested_response: row.ai_suggested_response ?? text }
}
