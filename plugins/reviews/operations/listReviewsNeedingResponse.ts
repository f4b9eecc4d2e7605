import {
  dayMs,
  defineOperation,
  field,
  type ReadContext,
  type Row,
  recordSchema,
  visibleRow,
  type Where,
  where,
} from 'renown'
import * as v from 'valibot'
import { platform } from '../records/platform'
import { Review } from '../records/Review'
import { BusinessLocation } from './getReputationSummary'
import { visibleReviews, waitsForReply } from './visible'

const priorities = ['urgent', 'high', 'medium', 'low'] as const
const sorts = ['priority', 'review_created_at', '-review_created_at', 'star_rating', '-star_rating'] as const
const oldestFirst = [{ field: 'review_created_at', direction: 'asc' }] as const

/** Returns reviews that wait for a reply: they still exist at their source and have none. */
export const listReviewsNeedingResponse = defineOperation({
  name: 'listReviewsNeedingResponse',
  summary: 'Reviews that wait for an answer, the most urgent first',
  class: 'read',
  crossAgency: 'own',
  seldom: [
    ...(Review.seldom ?? []),
    'needs_response',
    'is_read',
    'is_flagged',
    'sentiment_score',
    'emotion',
    'analysis_method',
    'auto_response_status',
    'review_language',
    'review_created_at',
    'key_topics',
  ],
  input: v.strictObject({
    location_id: v.optional(field.text('Only reviews of this business location')),
    source: v.optional(platform('Only reviews from this platform')),
    priority: v.optional(field.oneOf(priorities, 'Only reviews of this priority')),
    sort: v.optional(
      field.oneOf(
        sorts,
        'priority: the most urgent first, then the oldest. Or a field; `-` means descending',
      ),
      'priority',
    ),
    limit: v.optional(field.integer('Maximum reviews in the answer', { min: 1, max: 200 }), 50),
    skip: v.optional(field.integer('Number of reviews to skip', { min: 0, max: 100_000 }), 0),
  }),
  output: v.object({
    reviews: v.array(
      recordSchema(Review, {
        waiting_days: v.nullable(field.integer('Whole days since it was written; null if that is unknown')),
      }),
    ),
    locations: v.pipe(
      v.array(
        v.object({ id: field.code('Business location'), business_name: field.text('Name of the business') }),
      ),
      v.description('The locations of these reviews'),
    ),
    total: field.integer('Number of waiting reviews on all pages', { min: 0 }),
    by_priority: v.pipe(
      v.array(
        v.object({
          priority: v.nullable(field.oneOf(priorities, 'Priority; null if it has none')),
          reviews: field.integer('Reviews that wait', { min: 0 }),
        }),
      ),
      v.description('All waiting reviews by priority'),
    ),
    oldest_created_at: v.nullable(field.instant('When the longest waiting review was written')),
    limit: field.integer('The limit applied'),
    skip: field.integer('The number left out'),
    has_more: field.flag('Whether there are more after these'),
  }),
  async run(ctx, { location_id, source, priority, sort, limit, skip }) {
    const rows = ctx.rows(Review)
    const waiting = visibleReviews(
      { location_id, source },
      waitsForReply,
      ...(priority === undefined ? [] : [where.eq('priority', priority)]),
    )
    const [groups, [oldest]] = await Promise.all([
      rows.group({ where: waiting, by: ['priority'], measures: [{ as: 'n', fn: 'count' }] }),
      rows.list({
        where: where.and(waiting, where.ne('review_created_at', null)),
        sort: oldestFirst,
        limit: 1,
      }),
    ])
    const by_priority = [...priorities, null].map((one) => ({
      priority: one,
      reviews: Number(groups.find((group) => group.priority === one)?.n ?? 0),
    }))
    const total = by_priority.reduce((all, { reviews }) => all + reviews, 0)
    const page =
      sort === 'priority'
        ? await pressingFirst(ctx, waiting, by_priority, { limit, skip })
        : await rows.list({ where: waiting, sort: [sortKey(sort)], limit, skip })
    return {
      locations: await locationsOf(ctx, page),
      reviews: page.map((row) => ({ ...visibleRow(Review, row), waiting_days: daysSince(row, ctx.now()) })),
      total,
      by_priority,
      oldest_created_at: oldest?.review_created_at ?? null,
      limit,
      skip,
      has_more: skip + page.length < total,
    }
  },
})

/**
 * Returns a page, sorted by priority and then by age, oldest first. Reads once for each priority on the page.
 */
async function pressingFirst(
  ctx: ReadContext,
  waiting: Where,
  groups: readonly { priority: string | null; reviews: number }[],
  { limit, skip }: { limit: number; skip: number },
): Promise<Row<typeof Review>[]> {
  const page: Row<typeof Review>[] = []
  let before = skip
  for (const { priority, reviews } of groups) {
    if (page.length === limit) break
    if (before < reviews) {
      const part = await ctx.rows(Review).list({
        where: where.and(waiting, where.eq('priority', priority)),
        sort: oldestFirst,
        limit: limit - page.length,
        skip: before,
      })
      page.push(...part)
    }
    before = Math.max(0, before - reviews)
  }
  return page
}

/** Returns the names of the locations of reviews. */
async function locationsOf(ctx: ReadContext, page: readonly Row<typeof Review>[]) {
  const ids = [...new Set(page.map(({ location_id }) => location_id))]
  const known = await ctx.rows(BusinessLocation).list({
    where: where.in('id', ids),
    limit: Math.max(1, ids.length),
    fields: ['business_name'],
  })
  return known.map(({ id, business_name }) => ({ id, business_name }))
}

const sortKey = (sort: string) => ({
  field: sort.replace('-', ''),
  direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
  nulls: 'last' as const,
})

const daysSince = ({ review_created_at }: Row<typeof Review>, now: Date) =>
  review_created_at === undefined
    ? null
    : Math.max(0, Math.floor((now.getTime() - Date.parse(review_created_at)) / dayMs))
