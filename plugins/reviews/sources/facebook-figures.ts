import { field, foreignEntity, isServiceFault, type OwnerContext } from 'renown'
import * as v from 'valibot'
import { askFacebook } from './facebook-api'
import type { ReviewedLocation } from './source'

const figures = v.object({
  overall_star_rating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
  rating_count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/** The location's figures on the platform. */
const Figures = foreignEntity('BusinessLocation', {
  average_rating: v.optional(field.number('Average rating on the platform')),
  total_reviews: v.optional(field.number('Reviews on the platform')),
})

/**
 * What a Page says of all its ratings together: it counts more than the recommendations that are listed, stands without
 * them, and proves nothing about any. A reading never fails for want of it.
 */
export async function keepFigures(ctx: OwnerContext, location: ReviewedLocation): Promise<void> {
  const path = encodeURIComponent(location.facebook_page_id ?? '')
  try {
    const query = { fields: 'overall_star_rating,rating_count' }
    const { overall_star_rating, rating_count } = v.parse(
      figures,
      await askFacebook(ctx, location, { path, query }),
    )
    if (rating_count === undefined) return
    // Nobody has rated it: zero stars are no rating.
    const average_rating = rating_count === 0 ? undefined : overall_star_rating
    await ctx.rows(Figures).update(location.id, { average_rating, total_reviews: rating_count })
  } catch (error) {
    if (!isServiceFault(error) && !v.isValiError(error)) throw error
    ctx.log.warn('the figures of a Page could not be read', {
      location_id: location.id,
      error: error.message,
    })
  }
}
