import { canonicalJson } from 'renown/sources'
import type { SourceReview } from '../contract'
import { sha256 } from './digest'

/** The hash before the first entry of a log. */
export const noHash = '0'.repeat(64)

/** Returns the digest of all reviews that a log shows, by their ids. */
export const digestOfAll = (standing: ReadonlyMap<string, string>) =>
  sha256(
    [...standing]
      .map(([id, digest]) => `${id} ${digest}`)
      .sort()
      .join('\n'),
  )

/** A review in an entry. If a person was erased from it, it has the hash of what was read. */
interface HashedReview {
  readonly digest: string
  readonly content?: string
  readonly review: SourceReview
}

interface HashedEntry {
  readonly reviews?: readonly HashedReview[]
}

/** Returns the hash of a review as it was read. */
export const contentHash = (review: SourceReview): string => sha256(canonicalJson(review))

/**
 * Returns an entry as its hash covers it. Of a review, that is the hash of its content and what figures need. So a person can be
 * erased from an entry, and the log still proves the rest.
 */
const hashed = (entry: HashedEntry) =>
  entry.reviews === undefined
    ? entry
    : {
        ...entry,
        reviews: entry.reviews.map(({ digest, content, review }) => ({
          digest,
          content: content ?? contentHash(review),
          source_id: review.source_id,
          star_rating: review.star_rating,
          recommends: review.recommends,
          review_created_at: review.review_created_at,
          review_updated_at: review.review_updated_at,
        })),
      }

/**
 * Returns the hash of an entry, which covers the entry before it. The keys are sorted, so that a store that reorders them
 * cannot change the hash.
 */
export const hashOf = (prev: string, body: object): string => {
  const { entry } = body as { readonly entry?: HashedEntry }
  return sha256(`${prev}\n${canonicalJson(entry === undefined ? body : { ...body, entry: hashed(entry) })}`)
}
