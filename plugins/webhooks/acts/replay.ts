import { moveState, type OwnerContext, Refusal, where } from 'renown'
import { addDelivery } from '../delivery/fan-out'
import { enqueueWebhook } from '../delivery/queue'
import { EventEntry, type EventRow } from '../records/foreign'
import type { WebhookRow } from '../records/Webhook'
import { type DeliveryRow, deliveryState, WebhookDelivery } from '../records/WebhookDelivery'
import { ownEvent } from './find'

/** Sends one event again, with the same webhook-id. */
export async function replayEvent(ctx: OwnerContext, webhook: WebhookRow, eventId: string): Promise<void> {
  await requireReplayable(ctx, webhook)
  await again(ctx, webhook, await ownEvent(ctx, webhook, eventId))
  await enqueueWebhook(ctx, webhook)
}

/** Sends all events since an instant again that the webhook wants. Returns how many. */
export async function replaySince(ctx: OwnerContext, webhook: WebhookRow, since: string): Promise<number> {
  await requireReplayable(ctx, webhook)
  const { workspace_id, types } = webhook
  const asked = [
    where.eq('workspace_id', workspace_id),
    where.gte('created_date', since),
    where.lte('seq', webhook.cursor),
    ...(types.length === 0 ? [] : [where.in('type', types)]),
  ]
  let count = 0
  for await (const event of ctx.rows(EventEntry).each({ where: where.and(...asked), by: 'seq' })) {
    await again(ctx, webhook, event)
    count += 1
  }
  await enqueueWebhook(ctx, webhook)
  return count
}

async function requireReplayable(ctx: OwnerContext, webhook: WebhookRow): Promise<void> {
  await ctx.requireActive(webhook.workspace_id)
  if (webhook.state === 'active') return
  throw new Refusal('conflict', `The webhook is ${webhook.state}. Only an active webhook gets events again.`)
}

/** Queues the delivery of an event, also one that has ended. */
async function again(ctx: OwnerContext, webhook: WebhookRow, event: EventRow): Promise<void> {
  if (await addDelivery(ctx, webhook, event)) return
  const own = [where.eq('workspace_id', webhook.workspace_id), where.eq('webhook_id', webhook.id)]
  const same = where.and(...own, where.eq('event_id', event.id))
  const [known] = await ctx.rows(WebhookDelivery).list({ where: same, limit: 1 })
  if (!known) return
  const fresh = { attempts: 0, due_at: ctx.now().toISOString() }
  const ended = where.and(where.eq('id', known.id), where.eq('state', known.state))
  const changes =
    known.state === 'pending'
      ? { due_at: fresh.due_at }
      : moveState(deliveryState, known.state, 'pending', {
          now: ctx.now(),
          with: { ...fresh, settled_at: undefined, expire_at: undefined },
        })
  await ctx.rows(WebhookDelivery).updateWhere(ended, changes as Partial<DeliveryRow>)
}
