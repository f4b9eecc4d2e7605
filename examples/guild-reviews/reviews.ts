import { isServiceFault, where } from 'renown'
import { idKeyIn } from 'renown/records'
import { compareExistence, type ReviewSource, readRows, starsOf, unreadOf } from 'renown/reviews'
import * as v from 'valibot'
import { askAsMember } from './ask-as-member'
import { guildShopId } from './shop-id'

const review = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  stars: v.number(),
  text: v.string(),
  written: v.pipe(v.string(), v.isoTimestamp()),
})

const page = v.object({ reviews: v.array(v.unknown()), next: v.nullable(v.string()) })
const reviewsPage = { path: 'reviews', what: "The Guild's page of reviews", answer: page }

/** Reviews of the Guild. Its list has an end and no count. */
export const guildReviews: ReviewSource = {
  name: 'guild',
  source: 'guild',
  label: 'The Guild',
  order: 50,
  evidence: 'paged',
  reads: (_, location) => idKeyIn(guildShopId, location) !== undefined,
  locationsOf: ({ provider, account_id }) =>
    provider === 'guild' ? where.startsWith('platform_id', `guild:${account_id}/`) : null,
  async open(ctx, location, { signal }) {
    return {
      async page(after) {
        const query: Record<string, string> = after === null ? {} : { after }
        const told = await askAsMember(ctx, location, { ...reviewsPage, query, signal })
        const { rows, unread } = readRows(review, told.reviews, 'id')
        const reviews = rows.map(({ id, stars, text, written }) => ({
          source_id: id,
          star_rating: starsOf(stars),
          review_text: text,
          review_created_at: new Date(written).toISOString(),
        }))
        return { reviews, total: null, next: told.next, ...unreadOf(unread) }
      },
    }
  },
  // One answer "no such review" proves nothing: another review must be there at the same time.
  async isGone(ctx, location, sourceId, shown) {
    const statementOf = async (id: string) => {
      const path = `reviews/${encodeURIComponent(id)}`
      const asked = { path, what: "The Guild's review", answer: v.object({ id: v.literal(id) }) }
      try {
        await askAsMember(ctx, location, asked)
        return null
      } catch (error) {
        if (isServiceFault(error) && error.code === 'no_such_review') return error.message
        throw error
      }
    }
    const listed = async () => {
      const { reviews } = await askAsMember(ctx, location, reviewsPage)
      return { ids: readRows(review, reviews, 'id').rows.map(({ id }) => id), total: null }
    }
    const found = await compareExistence(sourceId, { statementOf, listed }, shown)
    return found.is === 'gone' ? found.statement : null
  },
}
