import { type OwnerContext, type Row, ServiceFault, type Task, where } from 'renown'
import { type ReviewRow, reconcile } from '../analysis/reconcile'
import type { ReviewSource, SourceReview } from '../contract'
import { emptyTally } from '../evidence/reply-evidence'
import { isNoted, openChain } from '../proof/ledger'
import { begin } from '../proof/progress'
import { Review } from '../records/Review'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { listedDigests } from './readReviews'
import { storePage } from './storePage'

/** Fields of a row that the job sending replies sets itself. */
const ownFields = new Set(['reply_text', 'reply_created_at', 'source_metadata'])

/** Whether a review that was just fetched differs from its row in more than its reply. */
export function isOtherwise(source: ReviewSource, row: ReviewRow, review: SourceReview): boolean {
  const [change] = reconcile([review], [row], source).changed
  return (
    change !== undefined && (change.rewritten || Object.keys(change.set).some((name) => !ownFields.has(name)))
  )
}

interface Found {
  readonly location: Row<typeof ReviewedLocation>
  readonly source: ReviewSource
  readonly task: Task
  readonly review: SourceReview
}

/** Stores one review like a sync: the log first, then the row with its new analysis. Returns the new row. */
export async function storeFound(ctx: OwnerContext, found: Found, row: ReviewRow): Promise<ReviewRow> {
  const { location, source, task, review } = found
  const own = where.eq('location_id', location.id)
  const [listing] = await ctx.rows(ReviewListing).list({ where: own, limit: 1 })
  if (!listing) throw new ServiceFault('permanent', 'Renown no longer reads the reviews of this location')
  const of = { workspace_id: location.workspace_id, location_id: location.id, source: source.source }
  const chain = await openChain(ctx, of, () => listedDigests(ctx, of))
  const { watermark = '' } = listing
  const isAtEnd = isNoted(listing, source.source, chain.head)
  const storing = {
    location,
    source,
    task,
    chain,
    watermark,
    random: ctx.random,
    suspects: new Map(),
    tally: { ...emptyTally(''), missedBefore: new Set<string>() },
    askedAt: ctx.now().toISOString(),
  }
  const page = { reviews: [review], total: null, next: null }
  await storePage(ctx, storing, page, alone(source, ctx.now()))
  const heads = { ...listing.heads, [source.source]: chain.head }
  const closed = listing.open_pages === undefined ? { open_pages: undefined } : {}
  await ctx.rows(ReviewListing).update(listing.id, { ...(isAtEnd ? { heads } : {}), ...closed })
  return (await ctx.rows(Review).get(row.id)) ?? row
}

/** The proof of a single fetched review. It proves nothing about missing reviews. */
const alone = ({ name }: ReviewSource, now: Date) =>
  begin({
    id: '',
    reader: name,
    full: false,
    repeat: false,
    began_at: now.toISOString(),
    visible: 0,
    changed: 0,
  })
