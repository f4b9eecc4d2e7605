import { dayMs, type JobDeclaration, nullIfConflict, type OwnerContext, type Row, where } from 'renown'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { sourceOf } from '../sources/source-of'

/** Queues the locations whose reviews are due, each at most once. */
export const dueReviews: JobDeclaration = {
  summary: 'Queues the locations whose reviews are due for a sync',
  everyMs: 60_000,
  async run(ctx, signal) {
    const now = ctx.now().getTime()
    // No sync is due more than a day ahead. A later time was stored by a wrong clock.
    const isWrong = where.gt('due_at', new Date(now + 2 * dayMs).toISOString())
    const due = where.or(where.lte('due_at', new Date(now).toISOString()), isWrong)
    for await (const listing of ctx.rows(ReviewListing).each({ where: due, signal }))
      await enqueueSync(ctx, listing)
  },
}

/** Queues a location. New locations come first, then those that have waited longest. */
export async function enqueueSync(
  ctx: OwnerContext,
  { location_id, workspace_id, due_at, last_full_at, reading }: Row<typeof ReviewListing>,
): Promise<void> {
  const isNew = last_full_at === undefined && reading === undefined
  await ctx.enqueue('sync-reviews', {
    workspace_id,
    key: location_id,
    payload: { location_id },
    runAt: isNew || due_at === undefined ? new Date(0) : earlier(due_at, ctx.now()),
  })
}

const earlier = (at: string, now: Date) => new Date(Math.min(Date.parse(at), now.getTime()))

/** Starts syncs of new locations, and pauses those that are no longer synced. */
export const findLocations: JobDeclaration = {
  summary: 'Finds the locations whose reviews can be read',
  everyMs: 5 * 60_000,
  async run(ctx, signal) {
    const known = new Map<string, { readonly id: string; readonly isDue: boolean }>()
    for await (const { id, location_id, due_at } of ctx.rows(ReviewListing).each({ signal }))
      known.set(location_id, { id, isDue: due_at !== undefined })
    for await (const location of ctx.rows(ReviewedLocation).each({ signal })) {
      const listing = known.get(location.id)
      if (isRead(ctx, location)) {
        if (!listing?.isDue) await begin(ctx, location.id, location.workspace_id)
      } else if (listing?.isDue) {
        // The row stays, because it contains the end of the observation log. Without it, a log that is cut
        // off would look intact.
        await ctx.rows(ReviewListing).update(listing.id, { due_at: undefined })
      }
    }
  },
}

/** Whether a location's reviews are synced at all. */
export const isRead = (ctx: OwnerContext, location: Row<typeof ReviewedLocation>): boolean =>
  location.is_active && !location.is_prospect && location.is_demo !== true && sourceOf(ctx, location) !== null

/** Starts the syncs of a location. A paused one continues, and an active one stays unchanged. */
export async function begin(ctx: OwnerContext, location_id: string, workspace_id: string): Promise<void> {
  const due_at = ctx.now().toISOString()
  const rows = ctx.rows(ReviewListing)
  if (await rows.insert({ workspace_id, location_id, due_at }).catch(nullIfConflict)) return
  const isPaused = where.and(where.eq('location_id', location_id), where.eq('due_at', null))
  await rows.updateWhere(isPaused, { due_at })
}
