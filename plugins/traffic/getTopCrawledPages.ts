import { defineOperation, field, periodInput, periodOf, periodSchema, trafficCategories } from 'renown'
import * as v from 'valibot'
import { daysOf, siteInput, sitesOf, todayOf } from './days'
import { pagesOf } from './pages'
import { pageShare } from './rates'
import { tallyOf } from './tally'

const count = (description: string) => field.integer(description, { min: 0 })

/** The pages that AI agents fetch most. Daily rows keep the top of each day, so counts are floors with a ceiling. */
export const getTopCrawledPages = defineOperation({
  name: 'getTopCrawledPages',
  summary: 'Pages that AI agents fetch most in a period, compared with the period before',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({
    ...periodInput,
    ...siteInput,
    category: v.optional(field.oneOf(trafficCategories, 'Only what was fetched for this')),
    limit: v.optional(field.integer('Most pages to answer', { min: 1, max: 100 }), 25),
  }),
  output: v.object({
    period: periodSchema('The period asked for; 28 days unless said otherwise'),
    previous_period: periodSchema('The period of the same length before it'),
    complete: field.flag('The last day of the period is over at every site'),
    crawler_hits: count('All crawler hits of the period, in the category asked for'),
    pages: v.array(
      v.object({
        site_id: field.text('Site of the page'),
        domain: field.text('Its domain'),
        path: field.text('Path without query'),
        hits: count('Hits on the days whose list shows the page: at least so many'),
        hits_at_most: count('With what the full lists of the other days may hide'),
        days: count('Days whose list shows the page'),
        previous_hits: count('hits in the previous period'),
        share: pageShare.schema,
        by_category: v.object({
          ai_answers: count('At least so many to answer a person'),
          search_index: count('At least so many for an AI search index'),
          training: count('At least so many to train models'),
          other_ai: count('At least so many by other AI agents'),
        }),
      }),
    ),
    total_pages: count('Pages that any list of the period shows'),
    floors: field.texts('What these figures cannot see, in plain words'),
  }),
  async run(ctx, { category, limit, ...input }) {
    const sites = await sitesOf(ctx, input)
    const today = todayOf(ctx, sites)
    const { period, previous } = periodOf(input, { today: today.latest, days: 28 })
    const [days, before] = await Promise.all([daysOf(ctx, input, period), daysOf(ctx, input, previous)])
    const { totals, byCategory } = tallyOf(days)
    const crawler_hits = category === undefined ? totals.crawler_hits : byCategory[category]
    const pages = pagesOf(days, category)
    const complete = period.date_to < today.earliest
    const earlier = new Map(
      pagesOf(before, category).map((page) => [`${page.site_id} ${page.path}`, page.hits]),
    )
    const domains = new Map(sites.map(({ id, domain }) => [id, domain]))
    return {
      period,
      previous_period: previous,
      complete,
      crawler_hits,
      pages: pages.slice(0, limit).map(({ site_id, path, hits, hidden, days: shown, byCategory: by }) => ({
        site_id,
        domain: domains.get(site_id) ?? '',
        path,
        hits,
        hits_at_most: Math.min(crawler_hits, hits + hidden),
        days: shown,
        previous_hits: earlier.get(`${site_id} ${path}`) ?? 0,
        share: pageShare.of(hits, crawler_hits),
        by_category: by,
      })),
      total_pages: pages.length,
      floors: [
        'A daily row keeps the 25 paths with most hits, and 12 per category: what a day does not list is not added.',
        'Static assets are counted as hits and listed nowhere.',
        ...(complete ? [] : ['The last day is not over, and previous_hits are of whole days.']),
      ],
    }
  },
})
