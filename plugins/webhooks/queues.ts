import type { JobDeclaration, OwnerContext, QueueDeclaration, RecordedEvent } from 'renown'
import * as v from 'valibot'
import { deliver, queueDueWebhooks, queueWebhooksFor } from './delivery/deliver'
import type { QueueName } from './delivery/queue'
import { queueDueSubscriptions, queueSubscriptionsFor, sendSubscription } from './subscriptions/send'

const payload = v.strictObject({
  webhook_id: v.string(),
  /** Absent: a webhook of the owner. */
  kind: v.optional(v.literal('subscription')),
})

const queueOf = (name: QueueName, summary: string): QueueDeclaration<typeof payload> => ({
  summary,
  payload,
  atOnce: 20,
  run: (ctx, { webhook_id, kind }, task) =>
    (kind === 'subscription' ? sendSubscription : deliver)(ctx, webhook_id, task, name),
})

/** Sends the messages of webhooks and subscriptions, in the order of their events. */
export const sendWebhooks = queueOf('send-webhooks', 'Sends events to a receiver that works')

/** The same for receivers that fail or are slow, so that they never delay the others. */
export const retryWebhooks = queueOf('retry-webhooks', 'Sends events to a receiver that fails or is slow')

/** Queues what has something to send, also after a process was lost. */
export const dueWebhooks: JobDeclaration = {
  summary: 'Queues the webhooks and subscriptions that have events to send',
  everyMs: 5_000,
  async run(ctx, signal) {
    const heads = new Map<string, number>()
    await queueDueWebhooks(ctx, heads, signal)
    await queueDueSubscriptions(ctx, heads, signal)
  },
}

/** Queues the webhooks and subscriptions of a workspace right after an event. */
export async function wakeWebhooks(ctx: OwnerContext, event: RecordedEvent): Promise<void> {
  await queueWebhooksFor(ctx, event)
  await queueSubscriptionsFor(ctx, event)
}
