import { isServiceFault } from 'renown'
import { compareExistence, type ReviewSource, readRows, starsOf, unreadOf } from 'renown/reviews'
import * as v from 'valibot'
import { askGuild } from './ask-guild'
import { guildSettings } from './settings'

const review = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  stars: v.number(),
  text: v.string(),
  written: v.pipe(v.string(), v.isoTimestamp()),
})

const page = v.object({ reviews: v.array(v.unknown()), next: v.nullable(v.string()) })

/** Reviews of the Guild. Its list has an end and no count. */
export const guildReviews: ReviewSource = {
  name: 'guild',
  source: 'guild',
  label: 'The Guild',
  order: 50,
  evidence: 'paged',
  reads: (ctx, { business_name }) => guildSettings.of(ctx).GUILD_KEY !== '' && business_name !== undefined,
  async open(ctx, { business_name = '' }, { signal }) {
    const { GUILD_KEY: token } = guildSettings.of(ctx)
    return {
      async page(after) {
        const query = { business: business_name, ...(after === null ? {} : { after }) }
        const what = "The Guild's page of reviews"
        const told = await askGuild(ctx, { path: 'reviews', query, token, what, answer: page, signal })
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
    const { GUILD_KEY: token } = guildSettings.of(ctx)
    const statementOf = async (id: string) => {
      const path = `reviews/${encodeURIComponent(id)}`
      const asked = { path, token, what: "The Guild's review", answer: v.object({ id: v.literal(id) }) }
      try {
        await askGuild(ctx, asked)
        return null
      } catch (error) {
        if (isServiceFault(error) && error.code === 'no_such_review') return error.message
        throw error
      }
    }
    const listed = async () => {
      const query = { business: location.business_name ?? '' }
      const asked = { path: 'reviews', query, token, what: "The Guild's page of reviews", answer: page }
      const { reviews } = await askGuild(ctx, asked)
      return { ids: readRows(review, reviews, 'id').rows.map(({ id }) => id), total: null }
    }
    const found = await compareExistence(sourceId, { statementOf, listed }, shown)
    return found.is === 'gone' ? found.statement : null
  },
}
