import {
  dayMs,
  hourMs,
  type JobDeclaration,
  type OwnerContext,
  type QueueDeclaration,
  type Row,
  where,
} from 'renown'
import * as v from 'valibot'
import { originalOf } from '../analysis/translation'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'

const payload = v.strictObject({ location_id: v.string() })
const renewedAfterMs = 7 * dayMs
/** Minimum reviews. Fewer say more about their authors than about the business. */
const reviewsMin = 5
const reviewsMax = 50
const textMax = 600

const point = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80))
const answer = v.strictObject({
  summary: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(400)),
  praised: v.pipe(v.array(point), v.maxLength(5)),
  criticised: v.pipe(v.array(point), v.maxLength(5)),
})

/** Summarizes praise and criticism in a location's newest reviews, with the number of reviews for each. */
export const drawInsights: QueueDeclaration<typeof payload> = {
  summary: "Has the language model draw insights from a location's newest reviews",
  payload,
  attemptsMax: 3,
  async run(ctx, { location_id }, { signal }) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    const reviews = await newest(ctx, location_id)
    if (!location || !ctx.outbound.model.isConfigured || !isDue(ctx, location, reviews)) return
    const told = await ctx.outbound.model.ask({
      name: 'review_insights',
      instructions,
      answer,
      signal,
      isBackground: true,
      workspace_id: location.workspace_id,
      data: {
        business: { name: location.business_name, category: location.business_category },
        reviews: reviews.map(({ star_rating, review_text, review_created_at }) => ({
          stars: star_rating ?? null,
          at: review_created_at,
          text: originalOf(review_text).slice(0, textMax),
        })),
      },
    })
    const own = (texts: readonly string[]) => texts.filter((text) => !strange.test(text))
    await ctx.rows(ReviewedLocation).update(location_id, {
      ai_insights: {
        ...(strange.test(told.summary) ? {} : { summary: told.summary }),
        praised: own(told.praised),
        criticised: own(told.criticised),
        generator: ctx.outbound.model.generator,
      },
      ai_insights_updated_at: ctx.now().toISOString(),
      ai_insights_review_count: reviews.length,
    })
  },
}

/** Queues locations that have new reviews and insights older than a week. */
export const dueInsights: JobDeclaration = {
  summary: 'Finds the locations whose insights are due',
  everyMs: 6 * hourMs,
  async run(ctx, signal) {
    if (!ctx.outbound.model.isConfigured) return
    for await (const { location_id, workspace_id, due_at } of ctx.rows(ReviewListing).each({ signal })) {
      if (due_at === undefined) continue
      const location = await ctx.rows(ReviewedLocation).get(location_id)
      if (!location || isFresh(ctx, location)) continue
      if (!isDue(ctx, location, await newest(ctx, location_id))) continue
      await ctx.enqueue('draw-insights', { workspace_id, key: location_id, payload: { location_id } })
    }
  },
}

type Location = Row<typeof ReviewedLocation>

const isFresh = (ctx: OwnerContext, { ai_insights_updated_at: at }: Location) =>
  at !== undefined && ctx.now().getTime() - Date.parse(at) < renewedAfterMs

function isDue(ctx: OwnerContext, location: Location, reviews: readonly Row<typeof Review>[]): boolean {
  const last = location.ai_insights_updated_at ?? ''
  const hasNews = reviews.some((row) => row.created_date > last || (row.review_updated_at ?? '') > last)
  return reviews.length >= reviewsMin && hasNews && !isFresh(ctx, location)
}

/** Returns the newest visible reviews with text. */
const newest = (ctx: OwnerContext, location_id: string) =>
  ctx.rows(Review).list({
    where: where.and(
      where.eq('location_id', location_id),
      where.eq('removed_at_source_at', null),
      where.ne('review_text', null),
    ),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: reviewsMax,
  })

/** Matches links, addresses and long numbers, which an insight never needs. A review could smuggle one in. */
const strange = /https?:|www\.|@|\d{5,}/i

const instructions =
  "From a business's newest reviews, say what its customers praise and what they criticise. `summary` is one or two plain " +
  'sentences; `praised` and `criticised` hold at most five short points each, most frequent first, of what several reviews ' +
  'say, and nothing that they do not say. Name no persons, links or numbers. Write English.'
