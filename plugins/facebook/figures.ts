import { field, foreignEntity, isServiceFault, type OwnerContext, where } from 'renown'
import type { ReviewedLocation } from 'renown/reviews'
import * as v from 'valibot'
import { askFacebook } from './graph'

const figures = {
  overall_star_rating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
  rating_count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
}

/** Returns the Page's own figures over all its ratings. */
export async function pageFigures(ctx: OwnerContext, location: ReviewedLocation) {
  const id = location.facebook_page_id ?? ''
  return askFacebook(ctx, location, {
    path: encodeURIComponent(id),
    query: { fields: 'id,overall_star_rating,rating_count' },
    what: "Facebook's figures of the Page",
    answer: v.object({ id: v.literal(id), ...figures }),
  })
}

/** The location's figures on the platform. */
export const Figures = foreignEntity(
  'BusinessLocation',
  {
    average_rating: v.optional(field.number('Average rating on the platform')),
    total_reviews: v.optional(field.number('Reviews on the platform')),
  },
  { writes: ['average_rating', 'total_reviews'] },
)

/** The figures of the last sync, for its proof. */
export const Noted = foreignEntity(
  'ReviewListing',
  {
    location_id: field.text('Business location'),
    figures: v.optional(field.anything("The platform's figures as they were last written to the location")),
  },
  { writes: ['figures'] },
)

/**
 * Stores a Page's own figures over all its ratings. They count more than the listed recommendations and prove nothing
 * about one. A failure here never fails a sync.
 */
export async function keepFigures(ctx: OwnerContext, location: ReviewedLocation): Promise<void> {
  try {
    const { overall_star_rating, rating_count } = await pageFigures(ctx, location)
    if (rating_count === undefined) return
    // Without ratings, Facebook returns zero stars, which is not a rating.
    const average_rating = rating_count === 0 ? undefined : overall_star_rating
    const figures = {
      ...(average_rating === undefined ? {} : { average: average_rating }),
      total: rating_count,
    }
    // If the process ends before the second write, the proof accepts the previous figures while a sync is due.
    const { average_rating: average, total_reviews: total } = (await ctx.rows(Figures).get(location.id)) ?? {}
    const before = {
      ...(average === undefined ? {} : { average }),
      ...(total === undefined ? {} : { total }),
    }
    await ctx
      .rows(Noted)
      .updateWhere(where.eq('location_id', location.id), { figures: { ...figures, before } })
    await ctx.rows(Figures).update(location.id, { average_rating, total_reviews: rating_count })
  } catch (error) {
    if (!isServiceFault(error)) throw error
    ctx.log.warn('the figures of a Page could not be read', {
      location_id: location.id,
      error: error.message,
    })
  }
}
