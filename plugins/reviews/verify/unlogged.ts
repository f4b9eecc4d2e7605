import { type OwnerContext, where } from 'renown'
import { SyncStatus } from 'renown/records'
import { ReviewedLocation } from '../records/ReviewedLocation'

/** A location whose reviews were read, as notes outside the log say, but that has no log. */
export interface Unlogged {
  readonly location_id: string
  readonly source: string
  readonly why: string
}

/**
 * Finds locations whose log was deleted as a whole, by what other records say: the time of the last full sync of the location, and
 * the state of its syncs.
 */
export async function unlogged(ctx: OwnerContext, logged: ReadonlySet<string>): Promise<Unlogged[]> {
  const found = new Map<string, Unlogged>()
  const synced = where.ne('last_full_review_sync_at', null)
  for await (const { id, is_demo } of ctx.rows(ReviewedLocation).each({ where: synced })) {
    if (is_demo || logged.has(id)) continue
    found.set(id, { location_id: id, source: '', why: 'its reviews were read, and the log is missing' })
  }
  const ofReviews = where.and(where.eq('kind', 'reviews'), where.gt('items_seen', 0))
  for await (const { location_id, source } of ctx.rows(SyncStatus).each({ where: ofReviews })) {
    if (logged.has(location_id) || found.has(location_id)) continue
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    if (location?.is_demo) continue
    const what = location === null ? 'the location and its log are missing' : 'the log is missing'
    found.set(location_id, { location_id, source, why: `its reviews were read, and ${what}` })
  }
  return [...found.values()]
}
