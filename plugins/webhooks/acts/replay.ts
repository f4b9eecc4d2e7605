import { moveState, type OwnerContext, Refusal, where } from 'renown'
import { addDelivery } from '../delivery/fan-out'
import { enqueueWebhook } from '../delivery/queue'
import { EventEntry, type EventRow } from '../records/foreign'
import type { WebhookRow } from '../records/Webhook'
import { type DeliveryRow, deliveryState, WebhookDelivery } from '../records/WebhookDelivery'
import { auditWebhook, ownEvent, ownWebhook } from './find'

/** Sends one event again, with the same webhook-id. */
export async function replayEvent(
  ctx: OwnerContext,
  { webhook_id, event_id }: { readonly webhook_id: string; readonly event_id: string },
): Promise<void> {
  const webhook = await activeWebhook(ctx, webhook_id)
  await again(ctx, webhook, await ownEvent(ctx, webhook, event_id))
  await auditWebhook(ctx, webhook, 'replay', 'Event of a webhook replayed')
  await enqueueWebhook(ctx, webhook)
}

/** Sends all events since an instant again that the webhook wants. Returns how many. */
export async function replaySince(
  ctx: OwnerContext,
  { webhook_id, since }: { readonly webhook_id: string; readonly since: string },
): Promise<number> {
  const webhook = await activeWebhook(ctx, webhook_id)
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
  await auditWebhook(ctx, webhook, 'replay', 'Events of a webhook replayed')
  await enqueueWebhook(ctx, webhook)
  return count
}

async function activeWebhook(ctx: OwnerContext, id: string): Promise<WebhookRow> {
  const webhook = await ownWebhook(ctx, id)
  await ctx.requireActive(webhook.workspace_id)
  if (webhook.state === 'active') return webhook
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
