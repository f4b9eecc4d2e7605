import { dayMs, moveState, type OwnerContext, where } from 'renown'
import { EventSubscription, type SubscriptionRow, subscriptionState } from '../records/EventSubscription'

const keptMs = 30 * dayMs

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
  ...{ code: forbidden, message: 'Forbidden', data: { reason } },
})
export const typeRemoved: EndNotice = { code: notFound, message: 'NotFound', data: { kind: 'event' } }

/** Ends a subscription. With a notice, its callback is notified. False if it had ended. */
export async function endSubscription(
  ctx: OwnerContext,
  { id }: Pick<SubscriptionRow, 'id'>,
  ended_reason: string,
  notice?: EndNotice,
): Promise<boolean> {
  const now = ctx.now()
  const expire_at = new Date(now.getTime() + keptMs).toISOString()
  const moved = moveState(subscriptionState, 'active', 'ended', {
    now,
    with: {
      ...{ ended_reason, expire_at, due_at: undefined },
      ...(notice
        ? {
            notice: JSON.stringify({ type: 'terminated', error: notice }),
            notices: 0,
            due_at: now.toISOString(),
          }
        : {}),
    },
  })
  const active = where.and(where.eq('id', id), where.eq('state', 'active'))
  return (await ctx.rows(EventSubscription).updateWhere(active, moved as Partial<SubscriptionRow>)) !== null
}
