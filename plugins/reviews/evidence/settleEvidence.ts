import { type OwnerContext, type Row, where } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReviewSource } from '../contract'
import { asReadReview } from '../proof/as-read-review'
import type { OpenChain } from '../proof/ledger'
import { isVisible, returnedBy, reviewsOf } from '../proof/storedReviews'
import { Review } from '../records/Review'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { calm, listingOf, showDoubt, textsLost, whyMissing, withEvidenceLock } from './doubt'
import { hasLossElsewhere } from './losses'
import {
  type EndedReading,
  isWithdrawn,
  missingAfter,
  type ReplyEvidence,
  type Share,
  storedEvidence,
} from './reply-evidence'
import { widerShares } from './shares'

interface Settling extends EndedReading {
  readonly location: Row<typeof ReviewedLocation>
  readonly source: ReviewSource
  readonly chain: OpenChain
}

/** What people read about a sync after which replies are missing. Null if none is. */
export type DoubtfulReading = string | null

/**
 * Decides at the end of a sync which missing replies were withdrawn and whether the location is in doubt. Also decides whether
 * the sync proves that a review without a reply has none.
 */
export async function settleEvidence(ctx: OwnerContext, settling: Settling): Promise<DoubtfulReading> {
  const { location, source } = settling
  if (!source.replies) return null
  return withEvidenceLock(ctx, location.id, async () => {
    const listing = await listingOf(ctx, location.id)
    if (!listing) return null
    const before = storedEvidence(listing.replies)
    const rows = await rowsOf(ctx, settling, [...Object.keys(before.missing), ...settling.tally.missing])
    const all = missingAfter(before.missing, settling, (id) => rows.get(id)?.reply_text !== undefined)
    const gone = await withdrawn(ctx, settling, all)
    for (const id of gone) await withdraw(settling, rows.get(id))
    const missing = Object.fromEntries(Object.entries(all).filter(([id]) => !gone.includes(id)))
    const count = Object.keys(missing).length
    // The day without a contradiction begins with the sync that explains the last missing reply.
    const isOpen = count > 0 || settling.tally.unclear > 0
    const isContradicted = isOpen || Object.keys(before.missing).length > 0
    const lostAt = isContradicted ? ctx.now().toISOString() : listing.replies_lost_at
    const proven_at = await provenAt(ctx, settling, { before, count })
    await ctx.rows(ReviewListing).update(listing.id, {
      replies: { missing, ...(proven_at === undefined ? {} : { proven_at }), ...textsLost(before) },
      replies_missing: count,
      ...(isContradicted ? { replies_lost_at: lostAt, replies_lost_from: source.source } : {}),
    })
    if (isOpen) await showDoubt(ctx, settling, count)
    else await calm(ctx, settling, { lostAt, evidence: before })
    return isOpen ? whyMissing(source.label, count) : null
  })
}

/** Returns the rows with these ids that the platform still has. */
async function rowsOf(
  ctx: OwnerContext,
  { location, source }: Settling,
  ids: readonly string[],
): Promise<Map<string, ReviewRow>> {
  if (ids.length === 0) return new Map()
  const own = reviewsOf({ location_id: location.id, source: source.source })
  const wanted = where.and(own, where.in('source_id', [...new Set(ids)]))
  const rows = await ctx.rows(Review).list({ where: wanted, limit: ids.length })
  return new Map(rows.filter(isVisible).map((row) => [row.source_id, row]))
}

/** Counts the stored replies of a location. */
export const countAnswered = (
  ctx: OwnerContext,
  { location, source }: Pick<Settling, 'location' | 'source'>,
): Promise<number> =>
  ctx
    .rows(Review)
    .count(
      where.and(
        reviewsOf({ location_id: location.id, source: source.source }),
        where.ne('reply_text', null),
        returnedBy(source),
        where.eq('removed_at_source_at', null),
      ),
    )

/** Returns the missing replies that were certainly withdrawn. */
async function withdrawn(
  ctx: OwnerContext,
  settling: Settling,
  missing: ReplyEvidence['missing'],
): Promise<string[]> {
  const { tally, isWhole, began_at: at } = settling
  const seen = Object.entries(missing).filter(([id]) => isWhole && tally.missing.includes(id))
  const own = { touched: Object.keys(missing).length, held: 0 }
  // Most syncs end here, without counting anything.
  if (!seen.some(([, one]) => isWithdrawn(one, { at, shares: [] }))) return []
  const shares: Share[] = [
    { ...own, held: await countAnswered(ctx, settling) },
    ...(await widerShares(ctx, settling, own.touched)),
  ]
  return seen.filter(([, one]) => isWithdrawn(one, { at, shares })).map(([id]) => id)
}

/** Removes a withdrawn reply from the log and the row. */
async function withdraw({ chain }: Settling, row: ReviewRow | undefined): Promise<void> {
  if (!row) return
  const { reply: _, ...review } = asReadReview(row)
  const none = { reply_text: undefined, reply_created_at: undefined, reply_updated_by: undefined }
  await chain.seen({ reviews: [review], restored: [], adopted: [] }, (batch) =>
    batch.update(Review, row.id, { ...none, needs_response: true }),
  )
}

/**
 * Returns when a sync last proved that a review without a reply has none. That is a complete sync that returned a known reply and
 * missed none. For a location without replies, no other location of the platform may have lost any.
 */
async function provenAt(
  ctx: OwnerContext,
  settling: Settling,
  { before, count }: { readonly before: ReplyEvidence; readonly count: number },
): Promise<string | undefined> {
  if (count > 0) return undefined
  const { isWhole, tally, began_at, location, source } = settling
  if (!isWhole) return before.proven_at
  if (tally.shown > 0) return began_at
  const isUnanswered = (await countAnswered(ctx, settling)) === 0
  if (!isUnanswered) return tally.missing.length > 0 ? undefined : before.proven_at
  return (await hasLossElsewhere(ctx, source, location.id)) ? before.proven_at : began_at
}
