import { moveState, type OwnerContext, where } from 'renown'
import { Webhook, type WebhookRow, webhookState } from '../records/Webhook'

/** Disables a webhook and notifies people, which adds an entry to the inbox. Its events wait in the log. */
export async function disable(
  ctx: OwnerContext,
  { id, workspace_id, url, verified_at = '' }: WebhookRow,
  disabled_reason: string,
): Promise<void> {
  // A person may have paused it while the last message was sent. Then there is nothing to disable.
  if ((await ctx.rows(Webhook).get(id))?.state !== 'active') return
  // Notified first. If the process ends in between, both are repeated, and the notification is sent once.
  await ctx.notify({
    workspace_id,
    type: 'webhook_disabled',
    severity: 'critical',
    once: `webhook_disabled ${id} ${verified_at}`,
    title: `A webhook was disabled: ${new URL(url).hostname}`,
    body: `${disabled_reason} Repair the receiver, then verify the webhook again under Settings, Webhooks. Its events are sent then.`,
  })
  const moved = moveState(webhookState, 'active', 'disabled', { now: ctx.now(), with: { disabled_reason } })
  const active = where.and(where.eq('id', id), where.eq('state', 'active'))
  await ctx.rows(Webhook).updateWhere(active, moved as Partial<WebhookRow>)
}
