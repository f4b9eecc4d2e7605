import { dayMs, moveState, type OwnerContext, where } from 'renown'
import { EventSubscription, type SubscriptionRow, subscriptionState } from '../records/EventSubscription'

/** How long a subscription that ended is shown. */
export const endedShownMs = 30 * dayMs

/** The report of its end to a callback. */
export interface EndNotice {
  readonly code: number
  readonly message: string
  readonly data: Readonly<Record<string, string>>
}

/** Codes of the protocol for events. */
const forbidden = -32012
const notFound = -32011

export const accessEnded = (reason: string): EndNotice => ({
  code: forbidden,
  message: 'Forbidden',
  data: { reason },
})
export const typeRemoved: EndNotice = { code: notFound, message: 'NotFound', data: { kind: 'event' } }

/** Ends a subscription. With a notice, its callback is notified. False if it had ended. */
export async function endSubscription(
  ctx: OwnerContext,
  { id }: Pick<SubscriptionRow, 'id'>,
  ended_reason: string,
  notice?: EndNotice,
): Promise<boolean> {
  const expire_at = new Date(ctx.now().getTime() + endedShownMs).toISOString()
  return end(ctx, id, { ended_reason, expire_at, ...noticeOf(ctx, notice) })
}

/** Ends a subscription for a person. It is kept until a person allows it again. False if it was stopped before. */
export async function stopSubscription(ctx: OwnerContext, { id }: SubscriptionRow): Promise<boolean> {
  const ended_reason = 'A person stopped it.'
  const stopped = { ended_reason, is_stopped: true, expire_at: undefined }
  if (await end(ctx, id, { ...stopped, ...noticeOf(ctx, accessEnded(ended_reason)) })) return true
  // It ended by itself in the meantime. The person does not want it to begin again.
  const ended = where.and(where.eq('id', id), where.eq('state', 'ended'), where.ne('is_stopped', true))
  return (await ctx.rows(EventSubscription).updateWhere(ended, stopped)) !== null
}

async function end(ctx: OwnerContext, id: string, given: Partial<SubscriptionRow>): Promise<boolean> {
  const moved = moveState(subscriptionState, 'active', 'ended', { now: ctx.now(), with: given })
  const active = where.and(where.eq('id', id), where.eq('state', 'active'))
  return (await ctx.rows(EventSubscription).updateWhere(active, moved as Partial<SubscriptionRow>)) !== null
}

const noticeOf = ({ now }: OwnerContext, error?: EndNotice): Partial<SubscriptionRow> =>
  error
    ? {
        notice: JSON.stringify({ type: 'terminated', error }),
        notices: 0,
        due_at: now().toISOString(),
      }
    : { due_at: undefined }
