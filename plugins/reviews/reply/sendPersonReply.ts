import { type OwnerContext, type QueueDeclaration, ServiceFault, type Task, throwIfStoreAway } from 'renown'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import type { RepliedReview, SentReply, SourceReview } from '../contract'
import { notifyFailedAct, notifyRejectedReply } from '../due/replyNotices'
import { whyUnproven } from '../evidence/whyUnproven'
import { updateLogged } from '../proof/updateLogged'
import { publishPersonal } from '../records/events'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewReply } from '../records/ReviewReply'
import { isOtherwise, storeFound } from '../sync/storeFound'
import { decideAct } from './decideAct'
import { personText } from './personText'
import { openJob } from './replyJob'
import { actOf, type ReplyAct, settleAct, stillQueued } from './requestReply'
import { goneIf, repliedFields, replyLock } from './sendReply'
import { type Answerable, replySourceOf } from './whyNoReply'

const payload = v.strictObject({ review_id: v.string(), act_id: v.string() })

/** Sends, changes or deletes one reply for a person, once. Checks the platform before every attempt. */
export const sendPersonReply: QueueDeclaration<typeof payload> = {
  summary: 'Sends, changes or deletes the reply to a review for a person',
  payload,
  atOnce: 4,
  // `afterFault` decides when an action fails. This only limits a job whose process always crashes.
  attemptsMax: 1_000,
  async run(ctx, { review_id, act_id }, task) {
    const act = await queuedAct(ctx, { ...task, review_id, act_id })
    if (act === null) return
    try {
      await perform(ctx, act, task)
    } catch (error) {
      // A shutdown is not a fault of the platform.
      if (task.signal.aborted) throw error
      throwIfStoreAway(error)
      const fault = await openJob(ctx, task).failed(error)
      await ctx.rows(ReviewReply).updateWhere(stillQueued(act.id, act_id), { error: fault.message })
      throw fault
    }
  },
  async onDeadLetter(ctx, { review_id, act_id }, fault, { workspace_id }) {
    const act = await queuedAct(ctx, { workspace_id, review_id, act_id })
    if (act === null) return
    await notifyFailedAct(ctx, act, fault)
    await publishPersonal(ctx, act, 'failed')
    await settleAct(ctx, act, 'failed', fault.message)
  },
}

/** Returns a queued action. Null if it was replaced or has ended. */
async function queuedAct(
  ctx: OwnerContext,
  { workspace_id, review_id, act_id }: Pick<ReplyAct, 'workspace_id' | 'review_id' | 'act_id'>,
): Promise<ReplyAct | null> {
  const act = await actOf(ctx, { workspace_id, id: review_id })
  return act?.act_id === act_id && act.state === 'queued' ? act : null
}

type Given = Answerable

/** Returns where the reply goes. Null if the platform of the review accepts none. */
async function readSender(ctx: OwnerContext, review: ReviewRow): Promise<Given | null> {
  const location = await ctx.rows(ReviewedLocation).get(review.location_id)
  const source = location && replySourceOf(ctx, location, review)
  const sender = source?.source === review.source ? source.replies : undefined
  return location && source && sender && (sender.takes?.(review) ?? true)
    ? { location, source, sender }
    : null
}

interface Performing extends Given {
  readonly act: ReplyAct
  readonly review: ReviewRow
  readonly task: Task
}

async function perform(ctx: OwnerContext, act: ReplyAct, task: Task): Promise<void> {
  const review = await ctx.rows(Review).get(act.review_id)
  if (!review) return fail(ctx, act, 'The review no longer exists.')
  const given = await readSender(ctx, review)
  if (given === null) {
    throw new ServiceFault('unsupported', 'The location is no longer connected to an account that can answer')
  }
  // Waits for an automatic reply that is being sent now, so that the check below sees it.
  await ctx.withLock(replyLock(review.id), async () => {})
  const found = await given.sender.look(ctx, given.location, review)
  if (found.isGone) return fail(ctx, act, 'The platform no longer has this review.')
  const { review: said, reply: standing } = found
  const row = await stored(ctx, { ...given, review, task }, said)
  if (standing === null) {
    const why = await whyUnproven(ctx, { ...given, row: askedBy(act, row), said }, 'person')
    if (why !== null) throw new ServiceFault('transient', why, { code: 'replies_missing' })
  }
  const decision = await decideAct(act, { review: row, location: given.location, standing })
  const performing = { ...given, act, review: row, task }
  switch (decision.do) {
    case 'fail':
      return fail(ctx, act, decision.why)
    case 'reject':
      return settleSent(ctx, performing, { rejected: decision.why })
    case 'nothing':
      return act.act === 'delete' ? settleDeleted(ctx, performing) : settleSent(ctx, performing, {})
    case 'remove':
      return removeOnce(ctx, performing, said)
    default:
      return sendOnce(ctx, performing, said, decision.do)
  }
}

/** A person who deletes a reply expects that it is no longer there. */
const askedBy = ({ act }: ReplyAct, row: ReviewRow): ReviewRow =>
  act === 'delete' ? { ...row, reply_text: undefined } : row

/** Stores a review that was just fetched, with its reply. Returns the row. */
async function stored(
  ctx: OwnerContext,
  { source, location, review, task }: Omit<Performing, 'act'>,
  said: SourceReview,
): Promise<ReviewRow> {
  // What a demo says is the row itself, and no sync of it exists that could be continued.
  if (location.is_demo) return review
  const hasOtherReply = (review.reply_text ?? null) !== (said.reply?.text ?? null)
  if (!hasOtherReply && !isOtherwise(source, review, said)) return review
  return storeFound(ctx, { location, source, task, review: said }, review)
}

/** Returns a review with the data just fetched, as changing its reply needs it. */
const asRead = (review: ReviewRow, said: SourceReview): RepliedReview => ({
  source_id: review.source_id,
  source_metadata: { ...review.source_metadata, ...said.metadata },
})

/**
 * Runs under the lock of the review, unless the person cancelled the action or another process has the job.
 */
async function withReplyLock(ctx: OwnerContext, { act, task }: Performing, work: () => Promise<void>) {
  await ctx.withLock(replyLock(act.review_id), async () => {
    if ((await queuedAct(ctx, act)) === null) return
    await task.hold()
    await work()
  })
}

async function sendOnce(
  ctx: OwnerContext,
  performing: Performing,
  said: SourceReview,
  how: 'send' | 'edit',
): Promise<void> {
  const { sender, location, review, act } = performing
  const text = personText(act.text ?? '', sender)
  const publish = how === 'edit' ? sender.edit : sender.send
  if (!publish) return fail(ctx, act, "You can change replies only on the platform's own pages.")
  await withReplyLock(ctx, performing, async () => {
    const isGone = async () => (await sender.look(ctx, location, review)).isGone
    const send = async () => publish(ctx, location, asRead(review, said), text)
    const sent = await send().catch(goneIf(isGone))
    if (sent === 'gone') await fail(ctx, act, 'The platform no longer has this review.')
    else await settleSent(ctx, performing, sent)
  })
  await refresh(ctx, performing)
}

async function removeOnce(ctx: OwnerContext, performing: Performing, said: SourceReview): Promise<void> {
  const { sender, location, review, act } = performing
  await withReplyLock(ctx, performing, async () => {
    await sender.remove?.(ctx, location, asRead(review, said))
    const found = await sender.look(ctx, location, review)
    if (!found.isGone && found.reply !== null) {
      throw new ServiceFault('transient', 'The platform still shows the reply')
    }
    await settleDeleted(ctx, performing)
  })
  if (act.act === 'delete') await refresh(ctx, performing)
}

/** Fetches the review again, to update the row and the log. If this fails, the next sync does it. */
async function refresh(ctx: OwnerContext, performing: Performing): Promise<void> {
  if (performing.location.is_demo) return
  try {
    const { sender, location, source, task } = performing
    const review = await ctx.rows(Review).get(performing.review.id)
    if (!review) return
    const found = await sender.look(ctx, location, review)
    if (!found.isGone) await storeFound(ctx, { location, source, task, review: found.review }, review)
  } catch (error) {
    ctx.log.warn('a reply was sent and could not be read again', { reason: String(error) })
  }
}

/**
 * Writes the row first, then the action. If the process ends in between, the next attempt finds the reply at
 * the platform and repeats both.
 */
async function settleSent(
  ctx: OwnerContext,
  { act, review }: Performing,
  { rejected, metadata }: SentReply,
): Promise<void> {
  const extras = metadata ? { source_metadata: { ...review.source_metadata, ...metadata } } : {}
  const text = act.text ?? ''
  if (rejected !== undefined) {
    await notifyRejectedReply(ctx, review, { text, reason: rejected })
    await publishPersonal(ctx, act, 'rejected')
    await ctx.rows(Review).update(review.id, { ...extras, ai_suggested_response: text })
    await settleAct(ctx, act, 'rejected', rejected)
    return
  }
  await publishPersonal(ctx, act, 'published')
  const sent = { ...(await repliedFields(ctx, review, text)), reply_updated_by: 'person' }
  await updateLogged(ctx, review.id, { ...extras, ...sent, ai_suggested_response: undefined })
  await settleAct(ctx, act, 'sent')
}

async function settleDeleted(ctx: OwnerContext, { act, review }: Performing): Promise<void> {
  const none = { reply_text: undefined, reply_created_at: undefined, reply_updated_by: undefined }
  await updateLogged(ctx, review.id, { ...none, needs_response: true })
  await settleAct(ctx, act, 'deleted')
}

/** Fails an action for a reason at the platform. A retry would change nothing. */
async function fail(ctx: OwnerContext, act: ReplyAct, why: string): Promise<void> {
  await notifyFailedAct(ctx, act, { kind: 'permanent', message: why })
  await publishPersonal(ctx, act, 'failed')
  await settleAct(ctx, act, 'failed', why)
}
