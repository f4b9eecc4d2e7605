import { type OwnerContext, where } from 'renown'
import { ReviewListing } from '../records/ReviewListing'
import { quietMs } from './reply-evidence'

/**
 * Whether another location of the platform lost replies within a day. A location without any stored reply cannot notice an
 * outage by itself. The locations of the same account are among them.
 */
export async function hasLossElsewhere(
  ctx: OwnerContext,
  { source }: { readonly source: string },
  locationId: string,
): Promise<boolean> {
  const since = new Date(ctx.now().getTime() - quietMs).toISOString()
  const lost = where.and(
    where.gte('replies_lost_at', since),
    where.eq('replies_lost_from', source),
    where.ne('location_id', locationId),
  )
  return (await ctx.rows(ReviewListing).list({ where: lost, limit: 1 })).length > 0
}
