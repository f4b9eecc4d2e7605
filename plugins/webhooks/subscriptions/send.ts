import { type OwnerContext, type RecordedEvent, type Task, where } from 'renown'
import { turnMs } from '../delivery/deliver'
import { lastSeq } from '../delivery/fan-out'
import { enqueueSubscription, type QueueName, queueFor } from '../delivery/queue'
import { EventSubscription, type SubscriptionRow } from '../records/EventSubscription'
import { deliverNext, endIfOver, isDue } from './deliver-subscription'

/** Sends the events of one subscription one after another. */
export async function sendSubscription(
  ctx: OwnerContext,
  id: string,
  task: Task,
  queue: QueueName,
): Promise<void> {
  const until = ctx.now().getTime() + turnMs
  for (;;) {
    const row = await ctx.rows(EventSubscription).get(id)
    if (!row || task.signal.aborted) return
    // It failed or recovered since it was queued. Only one of the queues sends to it.
    if (queueFor(row) !== queue) return enqueueSubscription(ctx, row)
    if ((await deliverNext(ctx, row, task)) === 'done' || ctx.now().getTime() >= until) return
  }
}

/** Ends the subscriptions whose permission is over, and queues those with something to send. */
export async function queueDueSubscriptions(
  ctx: OwnerContext,
  heads: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const rows = ctx.rows(EventSubscription)
  for await (const row of rows.each({ where: where.eq('state', 'active'), signal })) {
    const { workspace_id } = row
    const head = heads.get(workspace_id) ?? (await lastSeq(ctx, workspace_id))
    heads.set(workspace_id, head)
    const hasNews = head > row.cursor && isDue(ctx, row)
    if (hasNews || (await endIfOver(ctx, row))) await enqueueSubscription(ctx, row)
  }
  const now = ctx.now().toISOString()
  const untold = where.and(where.eq('state', 'ended'), where.lte('due_at', now))
  for await (const row of rows.each({ where: untold, signal })) await enqueueSubscription(ctx, row)
}

/** Queues the subscriptions that want an event. */
export async function queueSubscriptionsFor(
  ctx: OwnerContext,
  { workspace_id, type, location_id }: RecordedEvent,
): Promise<void> {
  const active = [where.eq('workspace_id', workspace_id), where.eq('state', 'active'), where.eq('type', type)]
  const isWanted = (row: SubscriptionRow) => row.location_id === undefined || row.location_id === location_id
  for (const row of await ctx.rows(EventSubscription).list({ where: where.and(...active), limit: 100 })) {
    if (isWanted(row) && isDue(ctx, row)) await enqueueSubscription(ctx, row)
  }
}
