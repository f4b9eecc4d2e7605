import type { Row } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReviewedLocation } from '../records/ReviewedLocation'

/** The business of a reply. */
export type ReplyingBusiness = Pick<
  Row<typeof ReviewedLocation>,
  | 'business_name'
  | 'business_category'
  | 'city'
  | 'country'
  | 'phone'
  | 'website'
  | 'enrichment'
  | 'enrichment_overrides'
>

/** The review that a reply answers. */
export type RepliedTo = Pick<
  ReviewRow,
  'id' | 'workspace_id' | 'reviewer_name' | 'star_rating' | 'review_text' | 'review_language' | 'sentiment'
>

/** Returns the rating of a review. A review without stars counts as 5, 3 or 1 stars by its sentiment. */
export const starsOf = ({ star_rating, sentiment }: Pick<RepliedTo, 'star_rating' | 'sentiment'>): number =>
  star_rating ?? (sentiment === 'negative' ? 1 : sentiment === 'positive' ? 5 : 3)

const nameMax = 60

/**
 * Returns the reviewer's first name if it certainly is a name: only letters, not a handle, not in capitals.
 */
export function firstName(name: string | undefined): string | undefined {
  const first = name?.trim().split(/\s+/)[0]
  return first !== undefined && first.length <= nameMax && /^\p{Lu}[\p{L}\p{M}’'-]*\p{Ll}$/u.test(first)
    ? first
    : undefined
}
