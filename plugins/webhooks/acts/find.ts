import { type OwnerContext, Refusal, requireRow } from 'renown'
import { EventEntry } from '../records/foreign'
import { Webhook, type WebhookRow } from '../records/Webhook'

/** Returns a webhook by its id. */
export const ownWebhook = (ctx: Pick<OwnerContext, 'rows'>, id: string): Promise<WebhookRow> =>
  requireRow(ctx.rows(Webhook), 'webhook', id, '`bun renown webhook list` lists them.')

/** Returns the changed row, or throws because somebody else changed it at the same time. */
export function requireChanged<T>(changed: T | null): T {
  if (changed) return changed
  throw new Refusal('conflict', 'Somebody else changed the webhook at the same time. Check it and try again.')
}

/** Returns an event of the webhook's workspace. */
export async function ownEvent(ctx: Pick<OwnerContext, 'rows'>, { workspace_id }: WebhookRow, id: string) {
  const event = await ctx.rows(EventEntry).get(id)
  if (event?.workspace_id === workspace_id) return event
  throw new Refusal('not_found', `The workspace has no event ${id}. Events are removed after 90 days.`)
}
