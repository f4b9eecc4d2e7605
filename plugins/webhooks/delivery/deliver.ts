import { minuteMs, type OwnerContext, type RecordedEvent, type Task, where } from 'renown'
import { Webhook, type WebhookRow } from '../records/Webhook'
import { type DeliveryRow, WebhookDelivery } from '../records/WebhookDelivery'
import { attempt } from './attempt'
import { fanOut, lastSeq } from './fan-out'
import { enqueueWebhook, type QueueName, queueFor } from './queue'

/** How long a job sends before it lets other receivers begin. */
export const turnMs = minuteMs

/** Sends the messages of one webhook after another, in the order of their events. */
export async function deliver(ctx: OwnerContext, id: string, task: Task, queue: QueueName): Promise<void> {
  const until = ctx.now().getTime() + turnMs
  for (;;) {
    const webhook = await ctx.rows(Webhook).get(id)
    if (webhook?.state !== 'active' || isResting(ctx, webhook) || task.signal.aborted) return
    // It failed or recovered since it was queued. Only one of the queues sends to it.
    if (queueFor(webhook) !== queue) return enqueueWebhook(ctx, webhook)
    const delivery = await nextDelivery(ctx, webhook)
    if (!delivery) {
      if ((await fanOut(ctx, webhook)) > 0) continue
      return
    }
    const outcome = await attempt(ctx, webhook, delivery, task)
    if (outcome !== 'delivered' || ctx.now().getTime() >= until) return
  }
}

const isResting = (ctx: OwnerContext, { resume_at = '' }: WebhookRow) => resume_at > ctx.now().toISOString()

/** Returns the delivery of the oldest event that is due. */
async function nextDelivery(
  ctx: Pick<OwnerContext, 'rows' | 'now'>,
  { id, workspace_id }: WebhookRow,
): Promise<DeliveryRow | undefined> {
  const pending = [
    where.eq('workspace_id', workspace_id),
    where.eq('webhook_id', id),
    where.eq('state', 'pending'),
  ]
  const [next] = await ctx.rows(WebhookDelivery).list({
    where: where.and(...pending, where.lte('due_at', ctx.now().toISOString())),
    sort: [{ field: 'seq', direction: 'asc' }],
    limit: 1,
  })
  return next
}

/** Queues the webhooks that have something to send. `heads` collects the last events of workspaces. */
export async function queueDueWebhooks(
  ctx: OwnerContext,
  heads: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for await (const webhook of ctx.rows(Webhook).each({ where: where.eq('state', 'active'), signal })) {
    if (isResting(ctx, webhook)) continue
    const { workspace_id, cursor } = webhook
    const head = heads.get(workspace_id) ?? (await lastSeq(ctx, workspace_id))
    heads.set(workspace_id, head)
    if (head > cursor || (await nextDelivery(ctx, webhook))) await enqueueWebhook(ctx, webhook)
  }
}

/** Queues the webhooks of a workspace that want an event. */
export async function queueWebhooksFor(
  ctx: OwnerContext,
  { workspace_id, type }: RecordedEvent,
): Promise<void> {
  const active = where.and(where.eq('workspace_id', workspace_id), where.eq('state', 'active'))
  for (const webhook of await ctx.rows(Webhook).list({ where: active, limit: 100 })) {
    const isWanted = webhook.types.length === 0 || webhook.types.includes(type)
    if (isWanted && !isResting(ctx, webhook)) await enqueueWebhook(ctx, webhook)
  }
}
