import type { OwnerContext } from 'renown'
import type { SubscriptionRow } from '../records/EventSubscription'
import type { WebhookRow } from '../records/Webhook'

export type QueueName = 'send-webhooks' | 'retry-webhooks'

type Receiver = Pick<WebhookRow | SubscriptionRow, 'failing_since' | 'is_slow'>

/** Returns the queue of a receiver: the second one for those that fail or are slow, so that they delay no others. */
export const queueFor = ({ failing_since, is_slow }: Receiver): QueueName =>
  failing_since === undefined && is_slow !== true ? 'send-webhooks' : 'retry-webhooks'

/** Queues a webhook that may have something to send. */
export async function enqueueWebhook(ctx: Pick<OwnerContext, 'enqueue'>, webhook: WebhookRow): Promise<void> {
  const { id, workspace_id } = webhook
  await ctx.enqueue(queueFor(webhook), { workspace_id, key: id, payload: { webhook_id: id } })
}

/** Queues a subscription of an agent that may have something to send. */
export async function enqueueSubscription(
  ctx: Pick<OwnerContext, 'enqueue'>,
  subscription: SubscriptionRow,
): Promise<void> {
  const { id, workspace_id } = subscription
  const payload = { webhook_id: id, kind: 'subscription' as const }
  await ctx.enqueue(queueFor(subscription), { workspace_id, key: id, payload })
}
