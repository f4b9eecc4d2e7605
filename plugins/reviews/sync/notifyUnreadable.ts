import { dayMs, type FaultInfo, type OwnerContext, type Row, where } from 'renown'
import { isConnectedLocation } from 'renown/records'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'

/** Repeated failures are reported at most this often. */
const quietMs = 7 * dayMs

/**
 * Notifies people once that the reviews of a location cannot be read, and why. Notifies them again only after
 * a sync worked and a week has passed. An installation key that is refused is reported once a month per
 * workspace. A broken connection is reported once for all its locations.
 */
export async function notifyUnreadable(
  ctx: OwnerContext,
  location: Row<typeof ReviewedLocation>,
  { kind, code = '', message }: FaultInfo,
): Promise<void> {
  const hasConnection = isConnectedLocation(ctx, location)
  const isTold = kind === 'auth' && hasConnection && code !== 'no_connection'
  if (isTold || !(kind === 'auth' || kind === 'permission' || kind === 'permanent')) return
  const told = { type: 'reviews_unread', severity: 'warning' } as const
  const body = `${message.replace(/\.$/, '')}. What is stored stays as it is. It is tried again by itself.`
  if (!hasConnection && kind !== 'permanent') {
    // All locations use the installation's key, so one report per month is enough.
    const month = ctx.now().toISOString().slice(0, 7)
    await ctx.notify({
      workspace_id: location.workspace_id,
      ...told,
      body,
      title: 'Reviews cannot be read',
      once: `reviews_unread ${location.added_via ?? ''} ${month}`,
    })
    return
  }
  const [listing] = await ctx
    .rows(ReviewListing)
    .list({ where: where.eq('location_id', location.id), limit: 1 })
  const before = listing?.unread_told_at
  if (before !== undefined && !isNews(ctx, location, before)) return
  await ctx.notify({
    workspace_id: location.workspace_id,
    location_id: location.id,
    ...told,
    body,
    entity: 'BusinessLocation',
    entity_id: location.id,
    title: `The reviews of ${location.business_name} cannot be read`,
    once: `reviews_unread ${location.id} ${before ?? ''}`,
  })
  if (listing) await ctx.rows(ReviewListing).update(listing.id, { unread_told_at: ctx.now().toISOString() })
}

/** Whether a sync worked since the last notification, and enough time has passed. */
function isNews(
  ctx: OwnerContext,
  { last_synced_at = '' }: Row<typeof ReviewedLocation>,
  toldAt: string,
): boolean {
  return last_synced_at > toldAt && ctx.now().getTime() - Date.parse(toldAt) >= quietMs
}
