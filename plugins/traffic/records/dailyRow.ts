import { type TrafficCategory, trafficCategories } from 'renown/traffic'
import { type SignedCount, signedFields, signedHitsOf } from './signed-counts'

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

/** Answers with one HTTP status to one agent, without spoofed hits. */
export interface StatusCount {
  readonly agent: string
  /** An HTTP status from 400 up. 0 for all answers below 400. */
  readonly status: number
  readonly hits: number
}
export interface ErrorCount extends StatusCount {
  readonly path: string
  readonly verified: number
}

/** The hits of one agent on one path, without spoofed ones. */
export interface AgentPath {
  readonly agent: string
  readonly path: string
  readonly n: number
  readonly verified: number
}

/** The counts of one day of one site. Lists of paths are sorted and shortened. */
export interface DayFacts {
  readonly agents: readonly AgentCount[]
  readonly topPaths: readonly PathCount[]
  readonly categoryPaths: readonly (PathCount & { readonly category: string })[]
  readonly referrers: readonly { readonly host: string; readonly visits: number }[]
  readonly referralPaths: readonly PathCount[]
  /** The hits whose signature decided their verdict. They are also among those of `agents`. */
  readonly signed?: readonly SignedCount[]
  /** The hits with a known status. Absent if the day was not checked for them. */
  readonly statuses?: readonly StatusCount[]
  /** The most frequent errors, most hits first. */
  readonly errors?: readonly ErrorCount[]
  /** What the robots.txt of the day says about these paths. Absent if no copy of it is known. */
  readonly robots?: {
    readonly judged: number
    readonly disallowed: readonly (AgentPath & { readonly rule: string })[]
  }
  /** Paths by agent, most hits first. */
  readonly agentPaths?: readonly AgentPath[]
}

/** Maximum paths in the lists of a row: of all paths, of landing pages, per category, of errors, of disallowed paths, and per agent. */
export const pathsMax = {
  top: 25,
  referral: 25,
  category: 12,
  errors: 50,
  disallowed: 50,
  agent: 10,
} as const

/** Returns the counts of a daily row. Unchecked hits are the remaining crawler hits. */
export function countedFields(facts: DayFacts) {
  const { agents, referrers, signed = [] } = facts
  const hits = (path: PathCount) => ({ path: path.path, hits: path.n })
  return {
    crawler_hits: sum(agents, 'hits'),
    verified_hits: sum(agents, 'verified'),
    spoofed_hits: sum(agents, 'spoofed'),
    unique_agents: new Set(agents.map(({ agent }) => agent)).size,
    ...signedFields(signed, sum(agents, 'verified')),
    by_agent: byAgent(agents, facts, signed),
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
    crawler_errors: facts.errors?.map(({ path, agent, status, hits, verified }) => ({
      path,
      agent,
      status,
      hits,
      verified,
    })),
    robots_check: robotsCheck(facts),
    agent_paths: facts.agentPaths && agentPathsOf(facts.agentPaths),
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
function byAgent(
  agents: readonly AgentCount[],
  { statuses = [], robots }: DayFacts,
  signed: readonly SignedCount[],
) {
  const disallowed = Map.groupBy(robots?.disallowed ?? [], ({ agent }) => agent)
  const answers = Map.groupBy(statuses, ({ agent }) => agent)
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
        {
          hits,
          verified,
          spoofed,
          category,
          operator,
          ...signedOf(signedHitsOf(signed, agent)),
          ...answersOf(answers.get(agent)),
          ...disallowedOf(disallowed.get(agent)),
        },
      ]),
  )
}

const signedOf = (hits: number) => (hits > 0 ? { signed: hits } : {})

/** Returns the numbers of answers to an agent. Empty if no status is known. */
function answersOf(statuses: readonly StatusCount[] = []) {
  if (statuses.length === 0) return {}
  const between = (from: number, to: number) =>
    sum(
      statuses.filter(({ status }) => status >= from && status < to),
      'hits',
    )
  return {
    with_status: sum(statuses, 'hits'),
    client_errors: between(400, 500),
    server_errors: between(500, 600),
  }
}

const disallowedOf = (paths: readonly AgentPath[] | undefined) =>
  paths ? { disallowed: sum(paths, 'n') } : {}

function robotsCheck({ robots }: DayFacts) {
  if (!robots) return undefined
  const { judged, disallowed } = robots
  return {
    judged,
    disallowed: sum(disallowed, 'n'),
    verified: sum(disallowed, 'verified'),
    most: disallowed.slice(0, pathsMax.disallowed).map(({ path, agent, rule, n, verified }) => ({
      path,
      agent,
      rule,
      hits: n,
      verified,
    })),
  }
}

/** Returns the first paths of each agent. */
function agentPathsOf(paths: readonly AgentPath[]): { agent: string; path: string; hits: number }[] {
  const listed = new Map<string, number>()
  return paths.flatMap(({ agent, path, n }) => {
    const place = (listed.get(agent) ?? 0) + 1
    listed.set(agent, place)
    return place <= pathsMax.agent ? [{ agent, path, hits: n }] : []
  })
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
