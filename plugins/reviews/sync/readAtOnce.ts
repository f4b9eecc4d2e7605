import { type OwnerContext, type RecordedEvent, where } from 'renown'
import { connectionReady } from 'renown/records'
import * as v from 'valibot'
import { reviewSource } from '../contract'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { begin, enqueueSync, isRead } from './dueReviews'

/** Syncs the locations of a new account immediately, without waiting for the scheduled task. */
export async function readAtOnce(ctx: OwnerContext, { workspace_id, data }: RecordedEvent): Promise<void> {
  const { provider, account_id } = v.parse(connectionReady.data, data)
  const account = { workspace_id, provider, account_id }
  const read = ctx.extensions(reviewSource).flatMap((source) => source.locationsOf?.(account) ?? [])
  if (read.length === 0) return
  const own = where.and(where.eq('workspace_id', account.workspace_id), where.or(...read))
  for await (const location of ctx.rows(ReviewedLocation).each({ where: own }))
    if (isRead(ctx, location)) await readNow(ctx, location)
}

/** Syncs one location immediately, by the same rules. */
export async function readLocationAtOnce(
  ctx: OwnerContext,
  { location_id = '' }: { readonly location_id?: string },
): Promise<void> {
  const location = await ctx.rows(ReviewedLocation).get(location_id)
  if (location && isRead(ctx, location)) await readNow(ctx, location)
}

/** Marks the location as due until it is synced, so that it is found again after a crash. */
async function readNow(
  ctx: OwnerContext,
  { id: location_id, workspace_id }: { readonly id: string; readonly workspace_id: string },
) {
  await begin(ctx, location_id, workspace_id)
  const stands = where.eq('location_id', location_id)
  const listing = await ctx.rows(ReviewListing).updateWhere(stands, { due_at: ctx.now().toISOString() })
  if (listing) await enqueueSync(ctx, listing)
}
