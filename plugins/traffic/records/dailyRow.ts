import { type TrafficCategory, trafficCategories } from 'renown'

export interface AgentCount {
  readonly agent: string
  readonly category: string
  readonly operator: string
  readonly hits: number
  readonly verified: number
  readonly spoofed: number
}
export interface PathCount {
  readonly path: string
  readonly n: number
}

/** The counts of one day of one site. Lists of paths are sorted and shortened. */
export interface DayFacts {
  readonly agents: readonly AgentCount[]
  readonly topPaths: readonly PathCount[]
  readonly categoryPaths: readonly (PathCount & { readonly category: string })[]
  readonly referrers: readonly { readonly host: string; readonly visits: number }[]
  readonly referralPaths: readonly PathCount[]
}

/** Maximum paths in the lists of a row: of all paths, of landing pages, and per category. */
export const pathsMax = { top: 25, referral: 25, category: 12 } as const

/** Returns the counts of a daily row. Unchecked hits are the remaining crawler hits. */
export function countedFields(facts: DayFacts) {
  const { agents, referrers } = facts
  const hits = (path: PathCount) => ({ path: path.path, hits: path.n })
  return {
    crawler_hits: sum(agents, 'hits'),
    verified_hits: sum(agents, 'verified'),
    spoofed_hits: sum(agents, 'spoofed'),
    unique_agents: new Set(agents.map(({ agent }) => agent)).size,
    by_agent: byAgent(agents),
    by_category: perCategory((category) =>
      sum(
        agents.filter((agent) => agent.category === category),
        'hits',
      ),
    ),
    top_paths: facts.topPaths.map(hits),
    paths_by_category: perCategory((category) =>
      facts.categoryPaths.filter((path) => path.category === category).map(hits),
    ),
    referral_visits: sum(referrers, 'visits'),
    by_referrer: Object.fromEntries(
      [...referrers]
        .sort((a, b) => b.visits - a.visits || order(a.host, b.host))
        .map(({ host, visits }) => [host, visits]),
    ),
    referral_paths: facts.referralPaths.map(({ path, n }) => ({ path, visits: n })),
  }
}

/**
 * Returns agents, most hits first. An agent whose category changed during the day gets the category of most
 * of its hits.
 */
function byAgent(agents: readonly AgentCount[]) {
  const merged = new Map<string, AgentCount & { readonly most: number }>()
  for (const one of agents) {
    const other = merged.get(one.agent)
    const isMost =
      !other || one.hits > other.most || (one.hits === other.most && one.category < other.category)
    const { category, operator } = isMost ? one : other
    merged.set(one.agent, {
      agent: one.agent,
      category,
      operator,
      most: Math.max(one.hits, other?.most ?? 0),
      hits: one.hits + (other?.hits ?? 0),
      verified: one.verified + (other?.verified ?? 0),
      spoofed: one.spoofed + (other?.spoofed ?? 0),
    })
  }
  return Object.fromEntries(
    [...merged.values()]
      .sort((a, b) => b.hits - a.hits || order(a.agent, b.agent))
      .map(({ agent, hits, verified, spoofed, category, operator }) => [
        agent,
        { hits, verified, spoofed, category, operator },
      ]),
  )
}

function perCategory<T>(value: (category: TrafficCategory) => T): Record<TrafficCategory, T> {
  return Object.fromEntries(trafficCategories.map((category) => [category, value(category)])) as Record<
    TrafficCategory,
    T
  >
}

/** The order of two different names. */
const order = (a: string, b: string) => (a < b ? -1 : 1)
const sum = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number =>
  rows.reduce((total, row) => total + row[key], 0)
