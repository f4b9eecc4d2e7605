import {
  dayMs,
  isServiceFault,
  moveState,
  type OwnerContext,
  type QueueDeclaration,
  recoverIf,
  type ServiceFault,
  type Task,
  where,
} from 'renown'
import * as v from 'valibot'
import { believedReview } from '../analysis/believed'
import { notifyFlagged } from '../analysis/flagSensitive'
import type { ReviewRow } from '../analysis/reconcile'
import type { FoundReview, ReplySender, SentReply, StandingReply } from '../contract'
import { rulesOf } from '../due/dueReplies'
import { notifyFailedReply, notifyRejectedReply } from '../due/replyNotices'
import { whySkipped, whySkippedUnseen } from '../due/whySkipped'
import { isRatingUnknown } from '../due/whyUnanswered'
import { doubtOf, isTextless } from '../evidence/doubt'
import { waitsInDoubt, whyNotRead, whyUnproven } from '../evidence/whyUnproven'
import { updateLogged } from '../proof/updateLogged'
import { autoResponse } from '../records/autoResponse'
import { publishAutomatic } from '../records/events'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import type { SkipCode } from '../records/skip-reasons'
import { sourceOf } from '../sources/source-of'
import { isOtherwise, storeFound } from '../sync/storeFound'
import { judgedReply, writeReply } from '../writing/writeReply'
import { openJob, type ReplyJob } from './replyJob'

const payload = v.strictObject({ review_id: v.string() })
/** Maximum fetches of one review in a run. A review that changes each time waits for a later run. */
const looksMax = 5

/** Answers one review publicly, once. Fetches the review right before it sends anything. */
export const sendReply: QueueDeclaration<typeof payload> = {
  summary: 'Sends the automatic reply to a review',
  payload,
  atOnce: 4,
  // `afterFault` decides when a reply fails. This only limits a job whose process always crashes.
  attemptsMax: 1_000,
  async run(ctx, { review_id }, task) {
    const review = await ctx.rows(Review).get(review_id)
    if (review?.auto_response_status !== 'pending') return
    const job = openJob(ctx, task)
    try {
      await answer(ctx, job, review, task)
    } catch (error) {
      // A shutdown is not a fault of the platform.
      if (task.signal.aborted) throw error
      throw await job.failed(error)
    }
  },
  async onDeadLetter(ctx, { review_id }, error) {
    const review = await ctx.rows(Review).get(review_id)
    if (review?.auto_response_status !== 'pending') return
    const location = await ctx.rows(ReviewedLocation).get(review.location_id)
    // Notifies people first, then changes the row. If the process ends in between, both are repeated.
    await notifyFailedReply(ctx, review, location, error)
    await publishAutomatic(ctx, review, 'failed')
    await settle(ctx, review, { auto_response_status: 'failed', auto_response_error: error.message })
  },
}

async function answer(ctx: OwnerContext, job: ReplyJob, review: ReviewRow, task: Task): Promise<void> {
  for (let looks = 0; looks < looksMax; looks++) {
    const given = await readLocation(ctx, review)
    // If there is a draft, a reply may already have been sent. Only the platform knows.
    if (given === null) return endUntaken(ctx, review)
    if (job.drafts.length === 0) {
      const reason = whySkippedUnseen(review, given)
      if (reason !== null) return skip(ctx, review, reason)
      const doubt = doubtOf(given.location)
      // Only a look shows whether texts are there again.
      if (doubt !== null && !isTextless(doubt)) throw waitsInDoubt(doubt.why)
      const unread = isOverdue(ctx, review) ? null : await whyNotRead(ctx, given)
      if (unread !== null) throw waitsInDoubt(unread, 'unread')
    }
    const found = await given.sender.look(ctx, given.location, review)
    // Checking and writing take time. People may have flagged the review or turned replies off since.
    const current = await ctx.rows(Review).get(review.id)
    if (current?.auto_response_status !== 'pending') return
    if (found.isGone) return skip(ctx, current, 'removed')
    const now = await readLocation(ctx, current)
    if (now === null) return endUntaken(ctx, current)
    const step = await answerFound(ctx, { job, review: current, task, ...now }, found)
    if (step === 'done') return
    review = step
  }
  throw new Error('The review changed on every fetch')
}

type Given = NonNullable<Awaited<ReturnType<typeof readLocation>>>

/** Returns the current data for the decision. Null if the source accepts no reply to this review. */
export async function readLocation(ctx: OwnerContext, review: ReviewRow) {
  const location = await ctx.rows(ReviewedLocation).get(review.location_id)
  const source = location && sourceOf(ctx, location)
  const sender = source?.source === review.source ? source.replies : undefined
  if (!location || !source || !sender || !(sender.takes?.(review) ?? true)) return null
  return { location, source, sender, rules: await rulesOf(ctx, review.workspace_id) }
}

interface Answering extends Given {
  readonly job: ReplyJob
  readonly review: ReviewRow
  readonly task: Task
}

/**
 * Takes one step with a review that was just fetched. Returns the row for the next step, or that nothing is
 * left to do.
 */
async function answerFound(
  ctx: OwnerContext,
  { job, review, task, ...given }: Answering,
  { review: said, reply: standing }: Extract<FoundReview, { isGone: false }>,
): Promise<ReviewRow | 'done'> {
  const { location, source, sender } = given
  const row = isOtherwise(source, review, said)
    ? await storeFound(ctx, { location, source, task, review: said }, review)
    : review
  if (standing !== null) {
    if (job.isOwn(standing.text)) await settleSent(ctx, row, standing.text, standing)
    else await skip(ctx, row, 'answered', await shownReply(ctx, row, standing))
    return 'done'
  }
  // What this answer leaves out is as it was, so that one incomplete look ends nothing for good.
  const { review: believed } = believedReview(said, row, source.absences)
  const unwanted = whySkipped(row, believed, given)
  if (unwanted !== null) {
    await skip(ctx, row, unwanted.reason, unwanted.flag)
    await notifyFlagged(ctx, { ...row, ...unwanted.flag })
    return 'done'
  }
  if (isRatingUnknown(source, believed)) {
    if (!isNew(ctx, row)) {
      await skip(ctx, row, 'rating')
      return 'done'
    }
    throw waitsInDoubt(`${source.label} does not say how many stars this review has.`)
  }
  const draft = job.draftFor(said)
  const written =
    draft === undefined
      ? await writeReply(ctx, row, location)
      : await judgedReply(draft.text, row, location, draft.judged_by)
  if (!written.isSendable) {
    const { reason, why, draft: refused } = written
    await skip(ctx, row, reason, {
      ...(refused === undefined ? {} : { ai_suggested_response: refused }),
      // Nobody can read in a draft why it was refused if there is none, or if the model refused it.
      ...(reason === 'draft_refused' || reason === 'second_look_refused' ? { auto_response_error: why } : {}),
    })
    return 'done'
  }
  if (draft === undefined) {
    // Writing takes time, so the review is checked again before the text is sent.
    await job.keepDraft(said, written)
    return row
  }
  const { text } = written
  const unproven = await whyUnproven(ctx, { location, source, sender, row, said }, 'automatic')
  if (unproven !== null) throw waitsInDoubt(unproven)
  await ctx.withLock(replyLock(row.id), async () => {
    // If a person answers the review, the automatic reply ends first.
    const current = await ctx.rows(Review).get(row.id)
    if (current?.auto_response_status !== 'pending') return
    await refuseInDoubt(ctx, location.id)
    await task.hold()
    const sent = await sendOnce(ctx, { sender, location }, row, text)
    if (sent === 'gone') await skip(ctx, row, 'removed')
    else await settleSent(ctx, row, text, sent)
  })
  return 'done'
}

/** Throws if a sync has put the location in doubt since the review was fetched. */
async function refuseInDoubt(ctx: OwnerContext, locationId: string): Promise<void> {
  const location = await ctx.rows(ReviewedLocation).get(locationId)
  const doubt = location && doubtOf(location)
  if (doubt) throw waitsInDoubt(doubt.why)
}

/**
 * Whether a reply has waited so long for a complete sync that the platform is asked about the review. Nothing is sent without the
 * proof, but a location that is gone for good ends the wait.
 */
const isOverdue = (ctx: OwnerContext, { auto_response_scheduled_at: due }: ReviewRow) =>
  due !== undefined && ctx.now().getTime() - Date.parse(due) > untakenMs

/** How long a reply waits if its platform may only have left out what it needs. */
const untakenMs = 3 * dayMs

const isNew = (ctx: OwnerContext, { created_date }: ReviewRow) =>
  ctx.now().getTime() - Date.parse(created_date) < untakenMs

/** Ends a reply that nobody accepts, or waits if its platform may accept it later. */
async function endUntaken(ctx: OwnerContext, review: ReviewRow): Promise<void> {
  const location = await ctx.rows(ReviewedLocation).get(review.location_id)
  const source = location && sourceOf(ctx, location)
  const sender = source?.source === review.source ? source.replies : undefined
  if (!source || !sender) return skip(ctx, review, 'not_connected')
  if (isNew(ctx, review) && sender.mayTakeLater?.(review))
    throw waitsInDoubt(`${source.label} does not say how this review can be answered.`)
  return skip(ctx, review, 'source_takes_none')
}

/** Ends a pending reply without sending it, with the reason that people read. */
const skip = (
  ctx: OwnerContext,
  review: ReviewRow,
  auto_response_reason: SkipCode,
  more: Partial<ReviewRow> = {},
): Promise<void> => settle(ctx, review, { ...more, auto_response_reason, auto_response_status: 'skipped' })

/** Returns the name of the lock for the reply of a review, so that two replies are never sent at once. */
export const replyLock = (reviewId: string): string => `reply ${reviewId}`

/** Sends a reply. Treats a review that was deleted in the meantime as gone, not as a fault. */
async function sendOnce(
  ctx: OwnerContext,
  { sender, location }: Pick<Given, 'sender' | 'location'>,
  review: ReviewRow,
  text: Parameters<ReplySender['send']>[3],
): Promise<SentReply | 'gone'> {
  const send = async () => sender.send(ctx, location, review, text)
  return send().catch(goneIf(async () => (await sender.look(ctx, location, review)).isGone))
}

/** For `.catch()` of a reply: returns `gone` if the platform refuses it because it no longer has the review. */
export const goneIf = (isGone: () => Promise<boolean>) =>
  recoverIf(isRefusedForGood, async (fault) => {
    if (await isGone()) return 'gone' as const
    throw fault
  })

const isRefusedForGood = (error: unknown): error is ServiceFault =>
  isServiceFault(error) && error.kind === 'permanent'

/** A reply of somebody else stays, and counts as the reply if the source shows it. */
const shownReply = async (ctx: OwnerContext, review: ReviewRow, { text, rejected }: StandingReply) =>
  rejected === undefined ? repliedFields(ctx, review, text) : {}

/**
 * Returns the fields of a review that has a reply. A sync may have read the reply since it was sent. The instant that the
 * platform told then is kept, because the log has it.
 */
export async function repliedFields(ctx: OwnerContext, { id }: ReviewRow, text: string) {
  const current = await ctx.rows(Review).get(id)
  const isRead = current?.reply_text === text && current.reply_created_at !== undefined
  return {
    reply_text: text,
    needs_response: false,
    ...(isRead ? {} : { reply_created_at: ctx.now().toISOString() }),
  }
}

/** Stores the result of a reply that the source accepted: shown or rejected. */
async function settleSent(
  ctx: OwnerContext,
  review: ReviewRow,
  text: string,
  { rejected, metadata }: SentReply,
): Promise<void> {
  const extras = metadata ? { source_metadata: { ...review.source_metadata, ...metadata } } : {}
  if (rejected === undefined) {
    const sent = { reply_updated_by: 'auto-response', auto_response_status: 'sent' as const }
    await publishAutomatic(ctx, review, 'published')
    return settle(ctx, review, { ...extras, ...(await repliedFields(ctx, review, text)), ...sent })
  }
  await notifyRejectedReply(ctx, review, { text, reason: rejected })
  await publishAutomatic(ctx, review, 'rejected')
  await settle(ctx, review, {
    ...extras,
    auto_response_error: rejected,
    auto_response_status: 'failed',
    ai_suggested_response: review.ai_suggested_response ?? text,
  })
}

/** Ends a pending reply with its data. Does nothing if its state changed in the meantime. */
async function settle(
  ctx: OwnerContext,
  { id }: ReviewRow,
  { auto_response_status: to, ...given }: Partial<ReviewRow>,
): Promise<void> {
  const moved = moveState(autoResponse, 'pending', to ?? 'failed', { now: ctx.now(), with: given })
  // A reply is in the log as soon as it is in the row.
  if (to === 'sent') return updateLogged(ctx, id, moved as Partial<ReviewRow>, { sent: true })
  if ('reply_text' in given) return updateLogged(ctx, id, moved as Partial<ReviewRow>)
  const pending = where.and(where.eq('id', id), where.eq('auto_response_status', 'pending'))
  await ctx.rows(Review).updateWhere(pending, moved as Partial<ReviewRow>)
}
