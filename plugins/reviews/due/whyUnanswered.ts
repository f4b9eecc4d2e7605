import type { Row } from 'renown'
import { dayMs } from 'renown'
import { judgeSensitive } from '../analysis/judgeSensitive'
import { sensitiveTopicsOf } from '../analysis/sensitive'
import type { ReviewSource, SourceReview } from '../contract'
import type { AutoResponseRules } from '../records/AutoResponseRules'

/** Why a review gets no automatic reply. */
export type NoReplyReason =
  | 'replies_off'
  | 'location_off'
  | 'answered'
  | 'rating'
  | 'too_old'
  /** It has 1 to 3 stars and words, and no owner allowed replies to such reviews without a person. */
  | 'low_stars'
  /** A person must answer because of the words of the review. */
  | 'sensitive'
  /** The judge of sensitive reviews is not measured in its language. */
  | 'language_not_judged'

/** The fields of a location that say whether it gets automatic replies. */
export interface OptedLocation {
  readonly is_active: boolean
  readonly auto_response_enabled: boolean
}

/**
 * Returns why a review gets no automatic reply, or null if it gets one. Only this function decides, for a new
 * review and for a due reply. `seenAt` is when Renown first found the review. `isUnknown`: see `isRatingUnknown`.
 */
export function whyUnanswered(
  review: SourceReview,
  rules: Row<typeof AutoResponseRules> | null,
  location: OptedLocation,
  seenAt: Date,
  isUnknown = false,
): NoReplyReason | null {
  if (!rules?.is_enabled) return 'replies_off'
  if (!location.is_active || !location.auto_response_enabled) return 'location_off'
  if (review.reply !== undefined) return 'answered'
  if (!isUnknown && !isRatingWanted(review, rules)) return 'rating'
  const written = Date.parse(review.review_created_at ?? seenAt.toISOString())
  if (seenAt.getTime() - written > rules.newest_days * dayMs) return 'too_old'
  const { verdict } = judgeSensitive(review)
  if (verdict === 'sensitive') return 'sensitive'
  // The word lists find more than the judge and are often wrong. A reply that is held back costs little.
  if (sensitiveTopicsOf(review.review_text, review.review_language).length > 0) return 'sensitive'
  if (verdict === 'not_judged') return 'language_not_judged'
  return isComplaint(review, isUnknown) && rules.low_stars_allowed !== true ? 'low_stars' : null
}

/** The most stars with which a review with words counts as a complaint. */
const complaintStarsMax = 3

/** Whether a review has words and few stars, or does not recommend the business. A rating that is unknown is waited for. */
function isComplaint({ star_rating, recommends, review_text }: SourceReview, isUnknown: boolean): boolean {
  if (isUnknown || (review_text ?? '').trim() === '') return false
  return star_rating === null ? recommends === false : star_rating <= complaintStarsMax
}

/**
 * Whether a platform whose reviews all have stars did not say how many. Then the reply waits: the review may have any rating,
 * so neither the rules for a rating nor the one for unrated reviews decide.
 */
export const isRatingUnknown = (
  { absences }: Pick<ReviewSource, 'absences'>,
  { star_rating, recommends }: Pick<SourceReview, 'star_rating' | 'recommends'>,
): boolean =>
  star_rating === null && recommends === undefined && absences?.fields.star_rating?.means === 'unknown'

/**
 * Whether the rules include the rating. A recommendation without stars counts as five stars, a negative one
 * as one star. Reviews without either follow the rule for unrated reviews.
 */
function isRatingWanted(
  { star_rating: stars, recommends }: SourceReview,
  { ratings, include_unrated }: Pick<Row<typeof AutoResponseRules>, 'ratings' | 'include_unrated'>,
): boolean {
  if (stars !== null) return ratings.includes(stars)
  return include_unrated && (recommends === undefined || ratings.includes(recommends ? 5 : 1))
}
