import {
  defineOperation,
  field,
  ours,
  periodInput,
  periodOf,
  periodSchema,
  type ReadContext,
  type Where,
  where,
} from 'renown'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import * as v from 'valibot'
import { AiTrafficDaily } from '../records/AiTrafficDaily'
import { daysWhere, refuseTooMany, siteInput, sitesOf, todayOf } from '../records/days'
import { pageShare } from '../records/rates'
import { countedSince, isCounted, uncountedFloor } from '../sums/countedSince'
import { listedDays } from '../sums/listedDays'
import { byHits, newPages } from '../sums/pages'

const count = (description: string) => field.integer(description, { min: 0 })

/**
 * Returns the pages that AI agents fetch most. Daily rows keep only the top pages of each day, so counts are
 * ranges.
 */
export const getTopCrawledPages = defineOperation({
  name: 'getTopCrawledPages',
  summary: 'Pages that AI agents fetch most in a period, compared with the previous period',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...periodInput,
    ...siteInput,
    category: v.optional(field.oneOf(trafficCategories, 'Only fetches with this purpose')),
    limit: v.optional(field.integer('Maximum pages in the answer', { min: 1, max: 100 }), 25),
  }),
  output: v.object({
    period: periodSchema('The requested period. Default 28 days'),
    previous_period: periodSchema('The period of the same length before it'),
    complete: field.flag('The last day of the period is over at every site'),
    crawler_hits: count('All crawler hits of the period, in the requested category'),
    pages: v.array(
      v.object({
        site_id: field.code('Site of the page'),
        domain: field.text('Its domain'),
        path: field.text('Path without query'),
        hits: count('Minimum number of hits, from the days whose list contains the page'),
        hits_at_most: count(
          'Maximum number of hits, including what the full lists of other days may leave out',
        ),
        days: count('Days whose list contains the page'),
        previous_hits: count('hits in the previous period'),
        share: pageShare.schema,
        by_category: v.object({
          ai_answers: count('At least this many to answer a person'),
          search_index: count('At least this many for an AI search index'),
          training: count('At least this many to train models'),
          other_ai: count('At least this many by other AI agents'),
        }),
      }),
    ),
    total_pages: count('Number of pages in the lists of the period'),
    floors: ours(field.texts('What these figures do not include')),
  }),
  async run(ctx, { category, limit, ...input }) {
    const sites = await sitesOf(ctx, input)
    const today = todayOf(ctx, sites)
    const { period, previous } = periodOf(input, { today: today.latest, days: 28 })
    const days = daysWhere(input, period)
    const [crawler_hits, since] = await Promise.all([hitsOf(ctx, days, category), countedSince(ctx, input)])
    const found = await mostFetched(ctx, days, category)
    const shown = new Map(found.slice(0, limit).map((page) => [keyOf(page), page]))
    // Upper limits and days come only from the lists of the sites whose pages are shown.
    const shownSites = where.in('site_id', [...new Set([...shown.values()].map(({ site_id }) => site_id))])
    const onShown = (rows: Where) => where.and(rows, shownSites)
    const [now, before] =
      shown.size === 0
        ? noPages
        : await Promise.all([
            pagesIn(ctx, onShown(days), category),
            // Of the previous period only the hits are said, which the store adds up.
            mostFetched(ctx, onShown(daysWhere(input, previous)), category),
          ])
    const pages = now.filter((page) => shown.has(keyOf(page)))
    const complete = period.date_to < today.earliest
    const earlier = new Map(before.map((page) => [keyOf(page), page.hits]))
    const domains = new Map(sites.map(({ id, domain }) => [id, domain]))
    return {
      period,
      previous_period: previous,
      complete,
      crawler_hits,
      pages: pages.map(({ site_id, path, hits, hidden, days: shown, byCategory: by }) => ({
        site_id,
        domain: domains.get(site_id) ?? '',
        path,
        hits,
        hits_at_most: Math.min(crawler_hits, hits + hidden),
        days: shown,
        previous_hits: earlier.get(keyOf({ site_id, path })) ?? 0,
        share: pageShare.of(hits, crawler_hits),
        by_category: by,
      })),
      total_pages: found.length,
      floors: [
        'A daily row lists the 25 paths with most hits, and 12 per category. Other hits of a path are not included.',
        'Static assets count as hits, but are not listed.',
        ...(complete ? [] : ['The last day is not over, and previous_hits include only whole days.']),
        ...uncountedFloor(isCounted(since.hits, previous)),
      ],
    }
  },
})

const noPages = [[], []] as const

/** Counts all crawler hits of the days, in the requested category. */
async function hitsOf(ctx: ReadContext, days: Where, category: TrafficCategory | undefined): Promise<number> {
  const field = category === undefined ? 'crawler_hits' : `by_category.${category}`
  const [sums] = await ctx.rows(AiTrafficDaily).group({
    where: days,
    by: [],
    measures: [
      { as: 'rows', fn: 'count' },
      { as: 'hits', fn: 'sum', field },
    ],
  })
  refuseTooMany(Number(sums?.rows ?? 0))
  return Number(sums?.hits ?? 0)
}

const keyOf = ({ site_id, path }: { readonly site_id: string; readonly path: string }) => `${site_id} ${path}`

/**
 * Returns all pages of the lists, most fetched first. The store adds up the top lists of each day and, for
 * other paths, the lists by category.
 */
async function mostFetched(ctx: ReadContext, days: Where, category: TrafficCategory | undefined) {
  const lists = trafficCategories.map((name) => `paths_by_category.${name}`)
  const found = await ctx.rows(AiTrafficDaily).groupEntries({
    where: days,
    by: ['site_id', { as: 'path', entry: 'value.path' }],
    measures: [{ as: 'hits', fn: 'sum', entry: 'value.hits' }],
    ...(category === undefined
      ? { of: ['top_paths', ...lists], unlessFirst: 'value.path' }
      : { of: `paths_by_category.${category}` }),
  })
  return found
    .map(({ site_id, path, hits }) => ({ site_id: String(site_id), path: String(path), hits: Number(hits) }))
    .sort(byHits)
}

/** Returns the listed pages of the days, most fetched first, with their upper limits. */
async function pagesIn(ctx: ReadContext, days: Where, category: TrafficCategory | undefined) {
  const pages = newPages(category)
  for await (const rows of listedDays(ctx, days, category)) pages.add(rows)
  return pages.sorted()
}
