import { defineCommand, field, oneLine, where } from 'renown'
import * as v from 'valibot'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { visibleReviews, waitsForReply } from './visible'

const textMax = 60

/** Lists reviews that their platforms still show, newest first. */
export const listReviewRows = defineCommand({
  name: 'review list',
  summary: 'List reviews, newest first',
  input: v.strictObject({
    location_id: v.optional(field.text('Only those of this business location')),
    workspace_id: v.optional(field.text('Only those of this workspace')),
    waiting: v.optional(field.flag('Only those that wait for a reply'), false),
    limit: v.optional(field.integer('How many. Default 20', { min: 1, max: 500 }), 20),
  }),
  async run(ctx, { location_id, workspace_id, waiting, limit }) {
    const found = await ctx.rows(Review).list({
      where: visibleReviews(
        { location_id },
        ...(workspace_id === undefined ? [] : [where.eq('workspace_id', workspace_id)]),
        ...(waiting ? [waitsForReply] : []),
      ),
      sort: [{ field: 'review_created_at', direction: 'desc' }],
      limit,
    })
    const ids = [...new Set(found.map(({ location_id }) => location_id))]
    const locations =
      ids.length === 0
        ? []
        : await ctx.rows(ReviewedLocation).list({ where: where.in('id', ids), limit: ids.length })
    const names = new Map(locations.map(({ id, business_name }) => [id, business_name]))
    return {
      reviews: found.map((review) => ({
        business: names.get(review.location_id),
        source: review.source,
        stars: review.star_rating,
        reviewer: oneLine(review.reviewer_name, 30),
        text: oneLine(review.review_text, textMax),
        reply: review.reply_text ? 'answered' : review.needs_response ? 'waiting' : 'none needed',
        written: review.review_created_at,
        review_id: review.id,
      })),
    }
  },
})
