import type { FaultInfo, OwnerContext, Row } from 'renown'
import type { ReviewedLocation } from './ReviewedLocation'

/**
 * Tells people that a location's reviews cannot be read and why, once until they can. A connection that breaks tells of
 * itself, for all of its locations.
 */
export async function tellUnread(
  ctx: OwnerContext,
  location: Row<typeof ReviewedLocation>,
  { kind, code = '', message }: FaultInfo,
): Promise<void> {
  const hasConnection = location.added_via === 'gbp_oauth' || location.facebook_page_id !== undefined
  const isTold = kind === 'auth' && hasConnection && code !== 'no_connection'
  if (isTold || !(kind === 'auth' || kind === 'permission' || kind === 'permanent')) return
  await ctx.notify({
    ...{ workspace_id: location.workspace_id, location_id: location.id },
    ...{ type: 'reviews_unread', severity: 'warning', entity: 'BusinessLocation', entity_id: location.id },
    title: `The reviews of ${location.business_name} cannot be read`,
    body: `${message.replace(/\.$/, '')}. What is stored stays as it is. It is tried again by itself.`,
    once: `reviews_unread ${location.id} ${kind} ${code} ${location.last_synced_at ?? ''}`,
  })
}
