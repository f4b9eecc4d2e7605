import { type BaseRow, type OwnerContext, type Row, where } from 'renown'
import type { ErasureTask, PersonErasure } from 'renown/records'
import { analyse } from '../analysis/analyse'
import type { SourceReview } from '../contract'
import { asReadReview } from '../proof/as-read-review'
import { contentHash } from '../proof/chain-hash'
import { outsideKeys, rowWithoutAuthor, withoutAuthor } from '../proof/erased-review'
import { judgementDigest } from '../proof/judgementDigest'
import { type Chain, type Entry, entriesOf, logOwn } from '../proof/ledger'
import { Review } from '../records/Review'
import { ReviewObservation } from '../records/ReviewObservation'

type ReviewRow = Row<typeof Review>

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
    const changes = task.isAbout ? erasedAuthor(row, ctx.now()) : changedBy(row, task.redact)
    if (Object.keys(changes).length === 0) return
    const review = asReadReview({ ...row, ...changes })
    const judged = task.isAbout && isJudged(row) ? { judged: judgementDigest({ ...row, ...changes }) } : {}
    await logOwn(ctx, { ...chain, source_id: row.source_id }, { review, ...judged }, (batch) =>
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

/** Returns the changes of a row without its author. Its analysis follows from what is left. */
const erasedAuthor = (row: ReviewRow, now: Date): Partial<ReviewRow> => ({
  ...rowWithoutAuthor(row, now),
  ...analyse(withoutAuthor(asReadReview(row))),
})

/** Returns the changes of a row in which a text names the person. */
function changedBy(row: ReviewRow, redact: ErasureTask['redact']): Partial<ReviewRow> {
  const redacted = redact(row)
  const changed = Object.entries(redacted).filter(([field, value]) => value !== row[field as keyof ReviewRow])
  const isRewritten = redacted.review_text !== row.review_text && !isJudged(row)
  return { ...Object.fromEntries(changed), ...(isRewritten ? analyse(asReadReview(redacted)) : {}) }
}

/** Whether a language model analyzed the review. The log then has a digest of the analysis. */
const isJudged = ({ analysis_method = '' }: ReviewRow) => analysis_method.startsWith('llm')

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
