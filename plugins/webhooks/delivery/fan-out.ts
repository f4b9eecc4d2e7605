import { nullIfConflict, type OwnerContext, where } from 'renown'
import { EventEntry, type EventRow } from '../records/foreign'
import { Webhook, type WebhookRow } from '../records/Webhook'
import { WebhookDelivery } from '../records/WebhookDelivery'

const atOnce = 200

/** Returns the number of the last event of a workspace, or 0. */
export async function lastSeq(ctx: Pick<OwnerContext, 'rows'>, workspaceId: string): Promise<number> {
  const own = where.eq('workspace_id', workspaceId)
  const [last] = await ctx
    .rows(EventEntry)
    .list({ where: own, sort: [{ field: 'seq', direction: 'desc' }], limit: 1 })
  return last?.seq ?? 0
}

/**
 * Creates the deliveries of the next events, then moves the cursor of the webhook. Can be repeated: a webhook has one
 * delivery of an event. Returns how many events were read.
 */
export async function fanOut(ctx: OwnerContext, webhook: WebhookRow): Promise<number> {
  const { id, workspace_id, types, cursor } = webhook
  const events = await ctx.rows(EventEntry).list({
    where: where.and(where.eq('workspace_id', workspace_id), where.gt('seq', cursor)),
    sort: [{ field: 'seq', direction: 'asc' }],
    limit: atOnce,
  })
  const last = events.at(-1)
  if (!last) return 0
  for (const event of events) {
    if (types.length === 0 || types.includes(event.type)) await addDelivery(ctx, webhook, event)
  }
  const behind = where.and(where.eq('id', id), where.lt('cursor', last.seq))
  if (await ctx.rows(Webhook).updateWhere(behind, { cursor: last.seq })) return events.length
  if ((await ctx.rows(Webhook).get(id)) !== null) return events.length
  // It was deleted in the meantime, and what was added here would stay.
  const own = where.and(where.eq('workspace_id', workspace_id), where.eq('webhook_id', id))
  await ctx.rows(WebhookDelivery).removeWhere(own)
  return 0
}

/** Adds the delivery of an event. Returns null if the webhook already has it. */
export const addDelivery = (ctx: OwnerContext, { id, workspace_id }: WebhookRow, event: EventRow) =>
  ctx
    .rows(WebhookDelivery)
    .insert({
      workspace_id,
      webhook_id: id,
      event_id: event.id,
      type: event.type,
      seq: event.seq,
      state: 'pending',
      attempts: 0,
      due_at: ctx.now().toISOString(),
    })
    .catch(nullIfConflict)
