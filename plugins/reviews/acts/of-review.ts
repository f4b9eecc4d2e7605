import type { ActRecord, OwnerContext } from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'

/** Acts on a review. */
export const onReview: ActRecord<typeof Review> = { entity: Review, field: 'review_id', called: 'review' }

/** Returns how audit entries name a review. */
export async function reviewSubject(ctx: OwnerContext, review: ReviewRow): Promise<string> {
  const location = await ctx.rows(ReviewedLocation).get(review.location_id)
  return `${location?.business_name ?? review.location_id}: review ${review.id}`
}
