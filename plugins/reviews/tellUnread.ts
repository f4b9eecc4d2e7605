import type { FaultInfo, OwnerContext, Row } from 'renown'
import type { ReviewedLocation } from './ReviewedLocation'

/**
 * Tells people that a location's reviews cannot be read and why, once until they can; of a key of the installation that is
 * refused, once a month and workspace. A connection that breaks tells of itself, for all of its locations.
 */
export async function tellUnread(
  ctx: OwnerContext,
  location: Row<typeof ReviewedLocation>,
  { kind, code = '', message }: FaultInfo,
): Promise<void> {
  const hasConnection = location.added_via === 'gbp_oauth' || location.facebook_page_id !== undefined
  const isTold = kind === 'auth' && hasConnection && code !== 'no_connection'
  if (isTold || !(kind === 'auth' || kind === 'permission' || kind === 'permanent')) return
  const told = { type: 'reviews_unread', severity: 'warning' } as const
  const body = `${message.replace(/\.$/, '')}. What is stored stays as it is. It is tried again by itself.`
  if (!hasConnection && kind !== 'permanent') {
    // The installation's key is everybody's: ten thousand locations are no reason to say it as often.
    const month = ctx.now().toISOString().slice(0, 7)
    await ctx.notify({
      ...{ workspace_id: location.workspace_id, ...told, body },
      title: 'Reviews cannot be read',
      once: `reviews_unread ${location.added_via ?? ''} ${kind} ${code} ${month}`,
    })
    return
  }
  await ctx.notify({
    ...{ workspace_id: location.workspace_id, location_id: location.id, ...told, body },
    ...{ entity: 'BusinessLocation', entity_id: location.id },
    title: `The reviews of ${location.business_name} cannot be read`,
    once: `reviews_unread ${location.id} ${kind} ${code} ${location.last_synced_at ?? ''}`,
  })
}
