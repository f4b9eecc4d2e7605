import { type OwnerContext, where } from 'renown'
import { EventDeliveryFault, type EventSubscriptionKey } from 'renown/sending'
import { EventSubscription, type SubscriptionRow } from '../records/EventSubscription'

/** Throws if a person stopped these events for the app or the key, and nobody allowed them again. */
export async function requireNotStopped(
  ctx: Pick<OwnerContext, 'rows'>,
  wish: EventSubscriptionKey,
): Promise<void> {
  const same = [where.eq('workspace_id', wish.subscriber.workspace_id), where.eq('type', wish.type)]
  const stopped = where.and(...same, where.eq('is_stopped', true))
  for await (const row of ctx.rows(EventSubscription).each({ where: stopped })) {
    if (!isSameWish(row, wish)) continue
    throw new EventDeliveryFault(
      'A person stopped these events. They can be allowed again in Renown under Settings, Apps',
      { kind: 'stopped' },
    )
  }
}

/**
 * Whether a request asks for events that were stopped. An app cannot evade it with another callback, or by connecting
 * again. The agent key belongs to several programs, so only the host of the callback tells them apart.
 */
function isSameWish(row: SubscriptionRow, { subscriber, location_id, url }: EventSubscriptionKey): boolean {
  const { client, credential } = subscriber
  const isSameProgram =
    row.client === undefined
      ? row.credential === credential && new URL(row.url).hostname === new URL(url).hostname
      : row.client === client
  const isSameLocation =
    row.location_id === undefined || location_id === undefined || row.location_id === location_id
  return isSameProgram && isSameLocation
}
