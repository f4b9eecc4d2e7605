import { type BaseRow, type OwnerContext, type Row, where } from 'renown'
import type { ErasureTask, PersonErasure } from 'renown/records'
import type { SourceReview } from '../contract'
import { Review } from '../records/Review'
import { ReviewObservation } from '../records/ReviewObservation'
import { asReadReview } from './as-read-review'
import { contentHash } from './chain-hash'
import { outsideKeys, rowWithoutAuthor, withoutAuthor } from './erased-review'
import { type Chain, type Entry, entriesOf, logOwn } from './ledger'

/**
 * Erases a person from reviews. The log keeps what it proves: entries have the hash of what was read, without the words. The row
 * follows from the log at every instant, so the log gets an entry with the review as it is now.
 */
export const reviewErasure: PersonErasure = {
  name: 'reviews',
  record_type: Review.name,
  async erase(ctx: OwnerContext, { id }: BaseRow, task: ErasureTask) {
    const row = await ctx.rows(Review).get(id)
    if (!row) return
    const { location_id, source } = row
    const chain = { workspace_id: row.workspace_id, location_id, source }
    if (task.isAbout) {
      for (const key of outsideKeys({ location_id, source }, row)) await task.block(key)
      await eraseFromLog(ctx, chain, (review) =>
        review.source_id === row.source_id ? withoutAuthor(review) : review,
      )
    }
    const changes = task.isAbout ? rowWithoutAuthor(row, ctx.now()) : changedBy(row, task.redact)
    if (Object.keys(changes).length === 0) return
    const review = asReadReview({ ...row, ...changes })
    await logOwn(ctx, { ...chain, source_id: row.source_id }, { review }, (batch) =>
      batch.update(Review, id, changes),
    )
  },
}

/** Erases a person from the observation log where a text names them. */
export const observationErasure: PersonErasure = {
  name: 'review-observations',
  record_type: ReviewObservation.name,
  async erase(ctx: OwnerContext, { id }: BaseRow, { redact }: ErasureTask) {
    const row = await ctx.rows(ReviewObservation).get(id)
    if (row) await changeEntry(ctx, row, redact)
  },
}

function changedBy(row: Row<typeof Review>, redact: ErasureTask['redact']): Partial<Row<typeof Review>> {
  const redacted = redact(row)
  const changed = Object.entries(redacted).filter(
    ([field, value]) => value !== row[field as keyof typeof row],
  )
  return Object.fromEntries(changed)
}

async function eraseFromLog(ctx: OwnerContext, chain: Chain, change: (review: SourceReview) => SourceReview) {
  for await (const row of entriesOf(ctx, chain)) await changeEntry(ctx, row, change)
}

/** Changes the words of an entry. What its hash covers stays. */
async function changeEntry(
  ctx: OwnerContext,
  { id, entry: stored }: Row<typeof ReviewObservation>,
  change: (review: SourceReview) => SourceReview,
): Promise<void> {
  const entry = stored as unknown as Entry
  if (entry.kind !== 'seen') return
  let isChanged = false
  const reviews = entry.reviews.map((item) => {
    const review = change(item.review)
    if (review === item.review || JSON.stringify(review) === JSON.stringify(item.review)) return item
    isChanged = true
    return { digest: item.digest, content: item.content ?? contentHash(item.review), review }
  })
  if (isChanged)
    await ctx.rows(ReviewObservation).updateWhere(where.eq('id', id), { entry: { ...entry, reviews } })
}
