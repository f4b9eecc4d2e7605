import { type OwnerContext, type Row, requireRow, where } from 'renown'
import { reviewSource } from '../contract'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { ReviewObservation } from '../records/ReviewObservation'
import type { Chain, Figures, Head } from './ledger'

/** An observation log, and its end after the last sync. */
export interface NotedChain extends Chain {
  readonly noted: Head | undefined
  /** Whether all reviews were synced once. If so, the location must have a note of the log's end. */
  readonly isRead: boolean
  /** Where the log ended before pages whose rows may not all be stored. */
  readonly open: number | undefined
  /** When the location is read next. In the past while a sync runs. */
  readonly dueAt: string | undefined
  /** The platform's figures, as last stored on the location. */
  readonly figures: Figures | undefined
}

/**
 * Returns the observation logs that a location can have: one for each platform that a loaded plugin reads, or
 * that was read earlier.
 */
export function chainsOf(
  ctx: Pick<OwnerContext, 'extensions'>,
  { id, workspace_id }: Pick<Row<typeof ReviewedLocation>, 'id' | 'workspace_id'>,
  listing: Row<typeof ReviewListing> | null,
): NotedChain[] {
  const heads = (listing?.heads ?? {}) as Readonly<Record<string, Head | undefined>>
  const figures = listing?.figures as Figures | undefined
  const isRead = listing?.last_full_at !== undefined
  const inOrder = ctx.extensions(reviewSource).toSorted((a, b) => a.order - b.order)
  const read = inOrder.map(({ source }) => source)
  return [...new Set([...read, ...Object.keys(heads)])].map((source) => ({
    workspace_id,
    location_id: id,
    source,
    noted: heads[source],
    isRead,
    figures,
    open: listing?.open_pages?.[source],
    dueAt: listing?.due_at,
  }))
}

/** Yields the logs of every location whose reviews are synced, and every log of earlier syncs. */
export async function* allChains(ctx: OwnerContext): AsyncGenerator<NotedChain> {
  const listed = new Set<string>()
  for await (const listing of ctx.rows(ReviewListing).each()) {
    const { location_id, workspace_id } = listing
    listed.add(location_id)
    yield* chainsOf(ctx, { id: location_id, workspace_id }, listing)
  }
  yield* unlistedChains(ctx, listed)
}

/**
 * Yields the logs of locations that are not synced at present, such as paused ones. Their reviews must still
 * match their logs.
 */
async function* unlistedChains(ctx: OwnerContext, listed: ReadonlySet<string>): AsyncGenerator<NotedChain> {
  const groups = await ctx.rows(ReviewObservation).group({
    by: ['workspace_id', 'location_id'],
    measures: [{ as: 'entries', fn: 'count' }],
  })
  for (const { workspace_id, location_id } of groups) {
    const id = String(location_id)
    if (!listed.has(id)) yield* chainsOf(ctx, { id, workspace_id: String(workspace_id) }, null)
  }
}

/** Returns a location and the state of its syncs. Throws if it does not exist. */
export async function readLocation(ctx: OwnerContext, location_id: string) {
  const location = await requireRow(ctx.rows(ReviewedLocation), 'location', location_id)
  const own = where.eq('location_id', location_id)
  const [listing] = await ctx.rows(ReviewListing).list({ where: own, limit: 1 })
  return { location, listing: listing ?? null }
}
