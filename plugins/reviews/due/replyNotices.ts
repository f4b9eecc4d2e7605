import { type FaultInfo, type OwnerContext, type Row, where } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import { Review } from '../records/Review'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import type { ReviewReply } from '../records/ReviewReply'
import { gaveUpCode } from './replyRetries'

type Location = Pick<Row<typeof ReviewedLocation>, 'business_name'>

/**
 * Notifies people that an automatic reply has failed and what to do. If the access to the platform fails,
 * they are notified once per location until one of its replies is sent again. Other failures are reported
 * once per review.
 */
export async function notifyFailedReply(
  ctx: OwnerContext,
  review: ReviewRow,
  location: Location | null,
  fault: FaultInfo,
): Promise<void> {
  const { id, workspace_id, location_id } = review
  const isAccess = accessKinds.has(fault.kind) || fault.code === gaveUpCode
  const once = isAccess
    ? `reply_failed ${location_id} ${await lastSentId(ctx, location_id)}`
    : `reply_failed ${id}`
  await ctx.notify({
    workspace_id,
    location_id,
    entity: 'Review',
    entity_id: id,
    type: 'reply_failed',
    severity: 'warning',
    once,
    title: `An automatic reply ${location ? `of ${location.business_name} ` : ''}was not sent`,
    body: `${sentence(fault.message)} ${adviceOf(fault)}`,
  })
}

/** Notifies people that an action on a reply failed, and what to do. Once per action. */
export async function notifyFailedAct(
  ctx: OwnerContext,
  { review_id, workspace_id, location_id, act, act_id }: Row<typeof ReviewReply>,
  fault: FaultInfo,
): Promise<void> {
  const advice = fault.kind === 'permission' || fault.kind === 'auth' ? ` ${accessAdvice[fault.kind]}` : ''
  await ctx.notify({
    workspace_id,
    location_id,
    entity: 'Review',
    entity_id: review_id,
    type: 'reply_failed',
    severity: 'warning',
    once: `reply_failed ${act_id}`,
    title: act === 'delete' ? 'A reply was not deleted' : 'Your reply was not sent',
    body: `${sentence(fault.message)}${advice}`,
  })
}

const accessAdvice = {
  permission: 'Check that the account under Settings, Connections may manage this profile.',
  auth: 'Connect the account again under Settings, Connections.',
} as const

const accessKinds: ReadonlySet<string> = new Set(['auth', 'permission', 'unsupported'])

const sentence = (message: string) => `${message.replace(/\.$/, '')}.`

function adviceOf({ kind, code }: FaultInfo): string {
  const yourself = 'Then answer the review yourself: a failed reply is not tried again.'
  if (kind === 'permission') {
    return `${accessAdvice.permission} ${yourself}`
  }
  if (kind === 'auth') return `${accessAdvice.auth} ${yourself}`
  if (code === gaveUpCode)
    return 'Answer the review yourself on the platform: a failed reply is not tried again.'
  return 'Answer the review yourself on the platform.'
}

/** Returns the review of a location that was last answered automatically. */
async function lastSentId(ctx: OwnerContext, location_id: string): Promise<string> {
  const sent = where.and(where.eq('location_id', location_id), where.eq('auto_response_status', 'sent'))
  const newestFirst = [{ field: 'reply_created_at', direction: 'desc' }] as const
  const [last] = await ctx.rows(Review).list({ where: sent, sort: newestFirst, limit: 1 })
  return last?.id ?? ''
}

/** Notifies people once that the platform does not show a reply, with the reason. Call it before the row changes. */
export async function notifyRejectedReply(
  ctx: OwnerContext,
  { id, workspace_id, location_id }: ReviewRow,
  { text, reason }: { readonly text: string; readonly reason: string },
): Promise<void> {
  await ctx.notify({
    workspace_id,
    location_id,
    entity: 'Review',
    entity_id: id,
    type: 'reply_rejected',
    severity: 'warning',
    title: 'The platform does not show a reply',
    body: `${sentence(reason)} Nobody sees the reply. Change its text and answer the review again on the platform.`,
    once: `reply_rejected ${id} ${Bun.hash.crc32(text)}`,
  })
}
