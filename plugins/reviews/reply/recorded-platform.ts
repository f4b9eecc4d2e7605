import { where } from 'renown'
import { type ReviewSource, standingReply } from '../contract'
import { asReadReview } from '../proof/as-read-review'
import { Review } from '../records/Review'

/**
 * Returns a platform that exists only in this process. It shows the sample reviews of a demo as they are stored, and
 * takes replies to them. It reaches nothing outside.
 */
export const recordedPlatform = (source: string, label: string): ReviewSource => ({
  name: 'recorded',
  source,
  label,
  order: 0,
  evidence: 'none',
  reads: () => false,
  open: () => Promise.reject(new Error('The reviews of a demo are not read from a platform.')),
  replies: {
    // Nothing is sent. The queue stores the reply with the review, as after an answer of a platform.
    isIdempotent: true,
    send: async () => ({}),
    edit: async () => ({}),
    async look(ctx, { id: location_id }, { source_id }) {
      const own = [where.eq('location_id', location_id), where.eq('source', source)]
      const same = where.and(...own, where.eq('source_id', source_id))
      const [found] = await ctx.rows(Review).list({ where: same, limit: 1 })
      if (!found) return { isGone: true }
      const review = asReadReview(found)
      return { isGone: false, review, reply: standingReply(review) }
    },
  },
})
