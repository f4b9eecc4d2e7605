import {
  moveState,
  nullIfConflict,
  type OwnerContext,
  type ReadContext,
  Refusal,
  type Row,
  requireRow,
  where,
} from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import { enqueueAct } from '../due/personActs'
import { autoResponse } from '../records/autoResponse'
import { Review } from '../records/Review'
import { ReviewReply, replyActs } from '../records/ReviewReply'
import type { SkipCode } from '../records/skip-reasons'
import { personBasis } from './decideAct'
import { isSameReply, isSameTyping, personText } from './personText'
import { type Answerable, answerable } from './whyNoReply'

export type ReplyAct = Row<typeof ReviewReply>

/** The request of a person. */
export interface ReplyRequest {
  readonly review_id: string
  /** The reply to publish. Absent to delete the existing one. */
  readonly text?: string
  /** The reply that the person saw, if any. */
  readonly replaces?: string | undefined
  /** `personBasis` of the review that the person saw. Default: that of the row. */
  readonly basis?: string
  readonly is_approved?: boolean
}

/**
 * Records that a person wants a reply sent, changed or deleted, and queues it. A recorded action happens
 * once, even if the process ends right after. Repeating the request while it waits changes nothing.
 */
export async function requestReply(ctx: OwnerContext, asked: ReplyRequest): Promise<ReplyAct> {
  const review = await requireRow(ctx.rows(Review), 'review', asked.review_id)
  await ctx.requireActive(review.workspace_id)
  const can = await answerable(ctx, review)
  if ('why' in can) throw new Refusal('conflict', can.why)
  const text = asked.text === undefined ? undefined : personText(asked.text, can.sender)
  refuseStale(review, asked, can)
  const known = await actOf(ctx, review)
  if (known?.state === 'queued') {
    if (isSameAct(known, text)) return known
    throw new Refusal(
      'conflict',
      'A reply to this review is being sent. Wait until it is sent, or cancel it.',
    )
  }
  const act = await takeDown(ctx, review, known, {
    act: text === undefined ? ('delete' as const) : ('publish' as const),
    text,
    replaces: asked.replaces,
    basis: personBasis(review),
    is_approved: asked.is_approved ?? false,
  })
  await endAutomatic(ctx, review)
  await ctx.rows(Review).update(review.id, { is_read: true })
  await enqueueAct(ctx, act)
  return act
}

/** Cancels an action that is not sent yet. Returns null if it is too late. */
export async function cancelReply(
  ctx: OwnerContext,
  review: Pick<ReviewRow, 'id' | 'workspace_id'>,
): Promise<ReplyAct | null> {
  const known = await actOf(ctx, review)
  return known ? settleAct(ctx, known, 'cancelled') : null
}

/** Returns the last action on a review. */
export async function actOf(
  ctx: Pick<OwnerContext, 'rows'> | Pick<ReadContext, 'rows'>,
  { id, workspace_id }: Pick<ReviewRow, 'id' | 'workspace_id'>,
): Promise<ReplyAct | null> {
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('review_id', id))
  const [row] = await ctx.rows(ReviewReply).list({ where: own, limit: 1 })
  return row ?? null
}

/** Ends an action that is still queued. Returns null if it is not. */
export function settleAct(
  ctx: OwnerContext,
  { id, act_id }: ReplyAct,
  to: 'sent' | 'deleted' | 'rejected' | 'failed' | 'cancelled',
  error?: string,
): Promise<ReplyAct | null> {
  const moved = moveState(replyActs, 'queued', to, { now: ctx.now(), with: { error } })
  return ctx.rows(ReviewReply).updateWhere(stillQueued(id, act_id), moved as Partial<ReplyAct>)
}

/** Matches an action while it is queued and was not replaced. */
export const stillQueued = (id: string, actId: string) =>
  where.and(where.eq('id', id), where.eq('act_id', actId), where.eq('state', 'queued'))

/** Throws if the review or the reply changed since the person saw it. */
function refuseStale(review: ReviewRow, { text, replaces, basis }: ReplyRequest, can: Answerable): void {
  if (basis !== undefined && basis !== personBasis(review)) {
    throw new Refusal('conflict', 'The review changed since you opened it. Read it again, then answer it.')
  }
  const standing = review.reply_text
  if (!isSameReply(standing ?? '', replaces ?? '')) {
    const now = standing === undefined ? 'no longer has a reply' : 'has another reply now'
    throw new Refusal('conflict', `The review ${now}. Look at it again, then answer it.`)
  }
  if (text === undefined && standing === undefined) {
    throw new Refusal('conflict', 'The review has no reply to delete.')
  }
  if (standing === undefined) return
  const isMissing = text === undefined ? !can.sender.remove : !can.sender.edit
  if (!isMissing) return
  const verb = text === undefined ? 'deletes' : 'changes'
  throw new Refusal('conflict', `${can.source.label} ${verb} replies on its own pages only.`)
}

const isSameAct = (known: ReplyAct, text: string | undefined) =>
  text === undefined
    ? known.act === 'delete'
    : known.act === 'publish' && isSameTyping(known.text ?? '', text)

type Wanted = Pick<ReplyAct, 'act' | 'basis' | 'is_approved'> & {
  readonly text: string | undefined
  readonly replaces: string | undefined
}

/** Replaces the last action. If two people act at the same time, one of them is refused. */
async function takeDown(
  ctx: OwnerContext,
  { id: review_id, workspace_id, location_id }: ReviewRow,
  known: ReplyAct | null,
  wanted: Wanted,
): Promise<ReplyAct> {
  const rows = ctx.rows(ReviewReply)
  const { text, replaces, ...certain } = wanted
  const fields = {
    ...certain,
    act_id: ctx.newId(ReviewReply),
    requested_at: ctx.now().toISOString(),
    requested_by: ctx.by?.user_id ?? 'command line',
  }
  const busy = new Refusal('conflict', 'Somebody else is answering this review at the same time.')
  if (known) {
    const given = { ...fields, text, replaces, error: undefined, settled_at: undefined }
    const moved = moveState(replyActs, known.state, 'queued', { now: ctx.now(), with: given })
    const unchanged = where.and(
      where.eq('id', known.id),
      where.eq('act_id', known.act_id),
      where.eq('state', known.state),
    )
    const row = await rows.updateWhere(unchanged, moved as Partial<ReplyAct>)
    if (!row) throw busy
    return row
  }
  const given = {
    ...fields,
    workspace_id,
    review_id,
    location_id,
    state: 'queued' as const,
    ...(text === undefined ? {} : { text }),
    ...(replaces === undefined ? {} : { replaces }),
  }
  const row = await rows.insert(given).catch(nullIfConflict)
  if (!row) throw busy
  return row
}

/** Cancels the automatic reply that is still due, because a person answers. */
async function endAutomatic(ctx: OwnerContext, { id }: ReviewRow): Promise<void> {
  const pending = where.and(where.eq('id', id), where.eq('auto_response_status', 'pending'))
  const moved = moveState(autoResponse, 'pending', 'skipped', {
    now: ctx.now(),
    with: { auto_response_reason: 'person_answered' satisfies SkipCode },
  })
  await ctx.rows(Review).updateWhere(pending, moved as Partial<ReviewRow>)
}
