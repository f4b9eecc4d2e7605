import fc from 'fast-check'
import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import type { Day } from '../../../../plugins/traffic/records/days'
import { dayOf } from './day'

const hits = fc.integer({ min: 0, max: 40 })
const categories = fc.constantFrom(...trafficCategories)
const operators = fc.constantFrom('OpenAI', 'Anthropic', 'Perplexity')
const agents = fc.constantFrom('GPTBot', 'ClaudeBot', 'ChatGPT-User', 'Ünï "q" bot')
const hosts = fc.constantFrom('chatgpt.com', 'claude.ai', 'unknown.example', 'www.perplexity.ai')
const paths = fc.integer({ min: 0, max: 45 }).map((page) => (page === 7 ? '/"q"\t\\é' : `/${page}`))

/** A list as a daily row keeps it: descending by count, ties by path, cut at its length. */
const listOf = <K extends string>(name: K, max: number) =>
  fc
    .uniqueArray(fc.record({ path: paths, count: hits }), { selector: ({ path }) => path, maxLength: 40 })
    .map(
      (list) =>
        list
          .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
          .slice(0, max)
          .map(({ path, count }) => ({ path, [name]: count })) as ({ path: string } & Record<K, number>)[],
    )

const counts = fc.record({
  crawler_hits: hits,
  verified_hits: hits,
  spoofed_hits: hits,
  unique_agents: hits,
  referral_visits: hits,
  by_agent: fc.dictionary(
    agents,
    fc.record(
      {
        hits,
        verified: hits,
        spoofed: hits,
        category: categories,
        operator: operators,
        with_status: hits,
        client_errors: hits,
        server_errors: hits,
      },
      { requiredKeys: ['hits', 'verified', 'spoofed', 'category', 'operator'] },
    ),
  ),
  by_category: fc.record({ ai_answers: hits, search_index: hits, training: hits, other_ai: hits }),
  top_paths: listOf('hits', 25),
  paths_by_category: fc.dictionary(categories, listOf('hits', 12)) as fc.Arbitrary<
    Partial<Record<TrafficCategory, { path: string; hits: number }[]>>
  >,
  by_referrer: fc.dictionary(hosts, hits),
  referral_paths: listOf('visits', 25),
})

/** Daily rows of some sites on some of the dates, at most one each. Agents change operator and category between rows. */
export const drawnDays = (workspace_id: string, sites: readonly string[], dates: readonly string[]) =>
  fc
    .uniqueArray(fc.record({ site_id: fc.constantFrom(...sites), date: fc.constantFrom(...dates), counts }), {
      selector: ({ site_id, date }) => `${site_id}:${date}`,
      maxLength: 14,
    })
    .map((rows): Day[] =>
      rows
        .map(({ site_id, date, counts }) => dayOf({ workspace_id, site_id, date, ...counts }))
        .sort((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1)),
    )
