import { defineOperation, field, ours, type ReadContext, Refusal, type Row, where } from 'renown'
import * as v from 'valibot'
import { platform } from '../records/platform'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { platformOf } from '../sources/source-of'
import { explainChain, whys } from './explainReviews'
import { visibleReviews } from './visible'

const count = (description: string) => field.integer(description, { min: 0 })
const kinds = ['removed', ...(Object.keys(whys) as (keyof typeof whys)[])] as const
const source = platform('Platform')

/** Explains a difference such as "Google shows 412, 409 are listed here": which reviews, and why. */
export const explainReviewCount = defineOperation({
  name: 'explainReviewCount',
  summary:
    "Why a platform's count of a location's reviews differs from the number listed here, and which reviews",
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({ location_id: field.text('Business location') }),
  output: v.object({
    location_id: field.code('Business location'),
    business_name: field.text('Its name'),
    sources: v.pipe(
      v.array(
        v.object({
          source,
          says: ours(field.text('The explanation in one or two sentences')),
          source_shows: v.nullable(count('Reviews that the platform counts; null where it gives no count')),
          we_list: count('Reviews that Renown lists'),
          difference: v.nullable(field.integer('source_shows minus we_list; null without a count')),
          removed_at_source: count(
            'Reviews that Renown keeps but does not list, because the platform no longer has them',
          ),
        }),
      ),
      v.description('One entry per platform with reviews of the location'),
    ),
    differences: v.pipe(
      v.array(
        v.object({
          source,
          reviews: field.integer('Reviews more at the platform; negative: more here'),
          kind: field.oneOf(kinds, 'Kind of difference'),
          why: ours(field.text('The reason')),
        }),
      ),
      v.description('Causes of the difference. They add up to the difference of each platform'),
    ),
    reviews: v.pipe(
      v.array(
        v.object({
          source,
          kind: field.oneOf(kinds, 'Difference that the review is part of; removed: it is left out'),
          source_id: field.text("The platform's own id"),
          review_id: v.optional(field.code('Review; absent while it is not stored')),
          reviewer_name: v.optional(field.text('Name of the reviewer')),
          star_rating: v.nullable(field.integer('Stars; null without', { min: 1, max: 5 })),
          review_created_at: v.optional(field.instant('When it was written')),
          begins: field.text('Beginning of its text'),
          last_returned_at: v.optional(field.instant('When the platform last returned it')),
          removed_at: v.optional(field.instant('When the platform no longer returned it')),
        }),
      ),
      v.description('The known reviews of each kind, at most 50'),
    ),
  }),
  async run(ctx, { location_id }) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    if (!location) throw new Refusal('not_found', 'There is no such location in this workspace.')
    const groups = await ctx.rows(Review).group({
      where: where.eq('location_id', location_id),
      by: ['source'],
      measures: [{ as: 'n', fn: 'count' }],
    })
    const sources = groups.map((group) => String(group.source)).toSorted()
    const explained = []
    for (const one of sources) {
      const platform = platformOf(ctx, one)
      const chain = { workspace_id: ctx.workspace.id, location_id, source: one }
      // The stored count is of the one platform that the location is synced from.
      const shows = sources.length === 1 ? location.total_reviews : undefined
      explained.push(
        (await explainChain(ctx, { chain, platform, shows })) ??
          (await unread(ctx, location, chain, platform.label)),
      )
    }
    return {
      location_id,
      business_name: location.business_name,
      sources: explained.map(({ answer }) => answer),
      differences: explained.flatMap(({ differences }) => differences),
      reviews: explained.flatMap(({ reviews }) => reviews.map(plain)),
    }
  },
})

/** Explains a count for which there is no observation log, such as in a demo or after an import. */
async function unread(
  ctx: ReadContext,
  {
    total_reviews: shows = null,
  }: Omit<Row<typeof ReviewedLocation>, 'total_reviews'> & { total_reviews?: number | null },
  { location_id, source: one }: { readonly location_id: string; readonly source: string },
  label: string,
) {
  const own = { location_id, source: one }
  const [we_list, all] = await Promise.all([
    ctx.rows(Review).count(visibleReviews(own)),
    ctx.rows(Review).count(where.and(where.eq('location_id', location_id), where.eq('source', one))),
  ])
  const difference = shows === null ? null : shows - we_list
  const counts = shows === null ? `No count of ${label}'s is known` : `${label} shows ${shows} reviews`
  return {
    answer: {
      source: one,
      source_shows: shows,
      we_list,
      difference,
      removed_at_source: all - we_list,
      says: `${counts}, ${we_list} are listed here. No reading of them was recorded, so the difference cannot be explained.`,
    },
    differences: difference
      ? [{ source: one, reviews: difference, kind: 'unrecorded' as const, why: whys.unrecorded }]
      : [],
    reviews: [],
  }
}

/** Returns the review without unknown fields. */
const plain = <T extends object>(review: T): T =>
  Object.fromEntries(
    Object.entries(review).filter(([name, value]) => value != null || name === 'star_rating'),
  ) as T
