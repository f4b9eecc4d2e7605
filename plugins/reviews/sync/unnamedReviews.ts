import { type OwnerContext, where } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReviewSource, SourceReview } from '../contract'
import { reviewsOf } from '../proof/storedReviews'
import { Review } from '../records/Review'
import { recommendsOf } from '../sources/verdict'

interface Page {
  readonly location_id: string
  readonly source: ReviewSource
  readonly reviews: readonly SourceReview[]
  /** The rows that have the ids of these reviews. */
  readonly stored: readonly ReviewRow[]
  /** The full sync that reads the page. Absent in short syncs. */
  readonly sync?: string | undefined
}

/** The reviews of a page with the ids that they have in the rows. */
export interface NamedReviews {
  readonly reviews: readonly SourceReview[]
  readonly stored: readonly ReviewRow[]
  /** Whether the platform left out an id that it gave before. Then it is not certain which review is which. */
  readonly isPart: boolean
  /** Rows that get the id of a review, because theirs is coarser. By the id of the review. */
  readonly renamed: ReadonlyMap<string, ReviewRow>
}

const rowsMax = 1_000

/**
 * Finds the rows of reviews that the platform gives no id, or that had none before. Their ids are made of the time and the
 * author, and an answer may leave the author or the platform's id out. Without this, such a review would be stored twice.
 */
export async function nameReviews(ctx: OwnerContext, page: Page): Promise<NamedReviews> {
  const { source, reviews, stored } = page
  const { unnamed } = source
  const known = new Set(stored.map(({ source_id }) => source_id))
  const open = reviews.filter(({ source_id }) => !known.has(source_id))
  const times = [...new Set(open.flatMap(({ review_created_at: at }) => at ?? []))]
  if (unnamed === undefined || times.length === 0)
    return { reviews, stored, isPart: false, renamed: new Map() }
  const own = where.and(
    reviewsOf({ location_id: page.location_id, source: source.source }),
    where.in('review_created_at', times),
  )
  const rows = await ctx.rows(Review).list({ where: own, limit: rowsMax })
  const free = rows.filter(({ source_id }) => !known.has(source_id))
  const matches = matched(open, free, { isUnnamed: unnamed.isUnnamed, sync: page.sync })
  const renamed = new Map<string, ReviewRow>()
  const kept: ReviewRow[] = []
  const named = reviews.map((review) => {
    const row = matches.get(review)
    if (row === undefined) return review
    if (isFiner(review.source_id, row.source_id, unnamed.isUnnamed)) {
      renamed.set(review.source_id, row)
      return review
    }
    kept.push(row)
    return unnamed.withId(withReplyOf(review, row), row.source_id)
  })
  const isPart = kept.some(({ source_id }) => !unnamed.isUnnamed(source_id))
  return { reviews: named, stored: [...stored, ...kept], isPart, renamed }
}

/** Whether the id of a review says more than the one of its row: the platform's own, or with the author. */
const isFiner = (id: string, rowId: string, isUnnamed: (id: string) => boolean) =>
  isUnnamed(rowId) && (!isUnnamed(id) || id.startsWith(`${rowId}:`))

/** A review without an id of the platform says nothing about replies. */
const withReplyOf = (
  review: SourceReview,
  { reply_text: text, reply_created_at: at }: ReviewRow,
): SourceReview =>
  text === undefined || review.reply !== undefined
    ? review
    : { ...review, reply: { text, ...(at === undefined ? {} : { at }) } }

interface Matching {
  readonly isUnnamed: (id: string) => boolean
  readonly sync?: string | undefined
}

/** Matches each review with at most one row, the best first. */
function matched(
  open: readonly SourceReview[],
  free: readonly ReviewRow[],
  { isUnnamed, sync }: Matching,
): Map<SourceReview, ReviewRow> {
  const pairs = open.flatMap((review) =>
    free
      .filter((row) => isUnnamed(review.source_id) || isUnnamed(row.source_id))
      .map((row) => ({ review, row, likeness: likenessOf(review, row) })),
  )
  const found = new Map<SourceReview, ReviewRow>()
  const taken = new Set<ReviewRow>()
  const take = ({ review, row }: (typeof pairs)[number]) => {
    if (found.has(review) || taken.has(row)) return
    found.set(review, row)
    taken.add(row)
  }
  for (const pair of pairs.toSorted((a, b) => b.likeness - a.likeness)) if (pair.likeness > 1) take(pair)
  // Only a full sync knows which rows are left. If one row and one review of a time are left, they are the same.
  for (const pair of pairs) {
    const isOnly = pairs.every(
      (other) => other === pair || isApart(pair, other) || found.has(other.review) || taken.has(other.row),
    )
    if (pair.likeness === 1 && sync !== undefined && pair.row.returned_by !== sync && isOnly) take(pair)
  }
  return found
}

interface Pair {
  readonly review: SourceReview
  readonly row: ReviewRow
}

const isApart = (one: Pair, other: Pair) => one.review !== other.review && one.row !== other.row

/** 0: not the same review. 1: perhaps. More: the same review, the more the surer. */
function likenessOf(review: SourceReview, row: ReviewRow): number {
  if (row.review_created_at !== review.review_created_at) return 0
  const hasName = isLike(review.reviewer_name, row.reviewer_name)
  if (hasName === false) return 0
  const hasWords = isLike(review.review_text, row.review_text)
  const hasVerdict =
    review.star_rating === (row.star_rating ?? null) &&
    (review.recommends ?? null) === (recommendsOf(row.source_metadata) ?? null)
  const said = hasVerdict && hasWords !== false ? (hasWords === true ? 3 : 2) : 1
  return hasName === true ? said + 3 : said
}

/** Whether two texts are equal. Undefined if one of them may have been left out. */
const isLike = (one: string | undefined, other: string | undefined): boolean | undefined =>
  one === undefined || other === undefined ? undefined : one === other
