import type { DemoFacts } from './demo-world'

// biome-ignore lint/suspicious/noExplicitAny: a row is any JSON, and a wrong field is a wrong figure
export type Fact = Readonly<Record<string, any>>

/** Counts facts by a key. */
export function countBy(facts: readonly Fact[], keyOf: (fact: Fact) => unknown): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const fact of facts) {
    const key = String(keyOf(fact))
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

export const mean = (values: readonly number[]): number => rounded(sum(values) / values.length)

/** Rounds to four digits, so that figures of two computations can be compared. */
export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

/** The reviews that the platforms still show. */
export const shownReviews = (demo: DemoFacts, everywhere = false): readonly Fact[] =>
  demo.rows('Review', everywhere).filter((review) => review.removed_at_source_at == null)

/** Facts whose instant lies in a range of days in the workspace's time zone, both included. */
export const within = (demo: DemoFacts, facts: readonly Fact[], name: string, from: string, to: string) =>
  facts.filter((fact) => {
    const day = demo.dayOf(fact[name])
    return from <= day && day <= to
  })

/** The days of all sites, or of the site with a domain. */
export function siteDays(demo: DemoFacts, from: string, to: string, domain?: string): readonly Fact[] {
  const sites = demo.rows('AiTrafficSite').filter((site) => domain === undefined || site.domain === domain)
  const ids = new Set(sites.map(({ id }) => id))
  return demo
    .rows('ai_traffic_daily')
    .filter(({ site_id, date }) => ids.has(site_id) && from <= String(date) && String(date) <= to)
}

/** Adds up the numbers of JSON objects by their keys. */
export function addUp(days: readonly Fact[], name: string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const day of days)
    for (const [key, value] of Object.entries(JSON.parse(day[name])))
      sums[key] = (sums[key] ?? 0) + Number(value)
  return sums
}

/** The groups of aggregateRecords by their only key. */
export const groups = (answer: Fact, of: (group: Fact) => unknown = ({ count }) => count) =>
  Object.fromEntries(
    answer.groups.map((group: Fact) => [Object.values(group.keys).map(String).join(' '), of(group)]),
  )

/** Whether figures count a mention. */
export const isCounted = ({ relevance, is_archived, duplicate_of, removed_at_source_at }: Fact): boolean =>
  relevance !== 'irrelevant' && !is_archived && duplicate_of == null && removed_at_source_at == null
