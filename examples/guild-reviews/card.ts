import { field, foreignEntity, where } from 'renown'
import { defineLocationCard } from 'renown/locations'
import * as v from 'valibot'

/** The fields of a review that the card reads. */
export const Review = foreignEntity('Review', {
  location_id: field.text('Reviewed business'),
  source: field.text('Platform'),
  star_rating: v.optional(v.nullable(field.integer('Stars'))),
  removed_at_source_at: v.optional(
    v.nullable(field.instant('When the platform reported that it no longer exists')),
  ),
})

/** What the card is given. */
export interface GuildCardData {
  readonly total: number
  /** Reviews with four or five stars. */
  readonly good: number
}

/** The reviews of a business at the Guild. A business without any has no card. */
export const guildCard = defineLocationCard<GuildCardData>({
  name: 'guild',
  order: 70,
  module: new URL('./guild-card.tsx', import.meta.url),
  async load(ctx, { id }) {
    const own = where.and(
      where.eq('location_id', id),
      where.eq('source', 'guild'),
      where.eq('removed_at_source_at', null),
    )
    const reviews = ctx.rows(Review)
    const [total, good] = await Promise.all([
      reviews.count(own),
      reviews.count(where.and(own, where.gte('star_rating', 4))),
    ])
    return total === 0 ? null : { total, good }
  },
})
