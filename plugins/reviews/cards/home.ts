import { type HomeCard, where } from 'renown'
import { visibleReviews } from '../operations/visible'
import { Review } from '../records/Review'

/** How many reviews wait for a reply. Null until there is a review. */
export const waitingCard: HomeCard = {
  name: 'reviews',
  title: 'Reviews without a reply',
  href: '/app/reviews?needs=1',
  link: 'Answer them',
  order: 15,
  async load(ctx) {
    const waiting = visibleReviews({}, where.eq('needs_response', true), where.eq('reply_text', null))
    const [count, all] = await Promise.all([
      ctx.rows(Review).count(waiting),
      ctx.rows(Review).count(visibleReviews({})),
    ])
    if (all === 0) return null
    return {
      figure: count.toLocaleString('en'),
      text: `Of ${all.toLocaleString('en')} ${all === 1 ? 'review' : 'reviews'} in this workspace.`,
      state: 'info',
    }
  },
}
