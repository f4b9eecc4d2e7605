import type { DemoBusiness, DemoRandom, DemoWorld } from 'renown'
import type { TrafficCategory } from 'renown/traffic'
import { type AgentCount, type DayFacts, type PathCount, pathsMax } from '../records/dailyRow'
import type { SignedCount } from '../records/signed-counts'
import { answersOf } from './demo-answers'

interface Crawler {
  readonly operator: string
  readonly category: TrafficCategory
  /** Hits of an ordinary day at a busy site. */
  readonly hits: number
  /** Whether the operator publishes its address ranges. */
  readonly listed: boolean
  readonly searchEngine?: true
}

const crawlers: Readonly<Record<string, Crawler>> = {
  'ChatGPT-User': { operator: 'OpenAI', category: 'ai_answers', hits: 26, listed: true },
  'OAI-SearchBot': { operator: 'OpenAI', category: 'search_index', hits: 14, listed: true },
  GPTBot: { operator: 'OpenAI', category: 'training', hits: 30, listed: true },
  'Claude-User': { operator: 'Anthropic', category: 'ai_answers', hits: 8, listed: true },
  'Claude-SearchBot': { operator: 'Anthropic', category: 'search_index', hits: 6, listed: true },
  ClaudeBot: { operator: 'Anthropic', category: 'training', hits: 22, listed: true },
  'Perplexity-User': { operator: 'Perplexity', category: 'ai_answers', hits: 7, listed: true },
  PerplexityBot: { operator: 'Perplexity', category: 'search_index', hits: 11, listed: true },
  GoogleOther: { operator: 'Google', category: 'other_ai', hits: 5, listed: true },
  Googlebot: { operator: 'Google', category: 'search_index', hits: 40, listed: true, searchEngine: true },
  'meta-externalagent': { operator: 'Meta', category: 'training', hits: 12, listed: false },
  Bytespider: { operator: 'ByteDance', category: 'training', hits: 6, listed: false },
  Amazonbot: { operator: 'Amazon', category: 'training', hits: 5, listed: false },
  'MistralAI-User': { operator: 'Mistral AI', category: 'ai_answers', hits: 2, listed: true },
}

const assistants = {
  'chatgpt.com': 6,
  'perplexity.ai': 2,
  'gemini.google.com': 1.5,
  'claude.ai': 1,
  'copilot.microsoft.com': 0.8,
} as const

/** The share of hits that count but are not listed: static files, and paths beyond a site's limit. */
const unlisted = 0.07
/** Whether a day of the demo has spoofed hits of GPTBot. */
const isRaid = (daysAgo: number) => daysAgo >= 18 && daysAgo <= raidBegan

/** Days before today on which the spoofed hits of GPTBot begin. */
export const raidBegan = 20

interface Turn {
  readonly daysAgo: number
  readonly withSearchEngines: boolean
  readonly hasBeacon: boolean
}

/** Returns the sample counts of one day of one site. Traffic grows over the three months, and pauses on Sundays. */
export function factsOf(world: DemoWorld, business: DemoBusiness, turn: Turn): DayFacts {
  const random = world.random(`traffic ${business.key} ${turn.daysAgo}`)
  const sunday = new Date(world.at(turn.daysAgo)).getUTCDay() === 0
  const pace = (business.reviewsPerMonth / 20) * (1.3 - turn.daysAgo / 150) * (sunday ? 0.6 : 1)
  const listed = Object.entries(crawlers).flatMap(([agent, crawler]) =>
    crawler.searchEngine && !turn.withSearchEngines
      ? []
      : countOf(agent, crawler, pace, turn.daysAgo, random),
  )
  const paths = pathsOf(business, world.edgeCases)
  const crawled = new Map<TrafficCategory, Map<string, number>>()
  for (const { category, hits } of listed)
    spread(hits, paths, random, mapIn(crawled, category as TrafficCategory))
  const referrers = turn.hasBeacon ? visitsOf(pace, random) : []
  const visited = new Map<string, number>()
  for (const { visits } of referrers) spread(visits, paths, random, visited)
  // Drawn from sources of their own, so that the other figures stay as they are.
  const { signed, agent } = signedOf(pace, world.random(`signed ${business.key} ${turn.daysAgo}`))
  const agents = [...listed, ...agent]
  for (const { hits } of agent) spread(hits, paths, random, mapIn(crawled, 'ai_answers'))
  return {
    agents,
    topPaths: ranked(added([...crawled.values()]), pathsMax.top),
    categoryPaths: [...crawled].flatMap(([category, counts]) =>
      ranked(counts, pathsMax.category).map((path) => ({ ...path, category })),
    ),
    referrers,
    referralPaths: ranked(visited, pathsMax.referral),
    signed,
    ...answersOf(agents, paths, world.random(`answers ${business.key} ${turn.daysAgo}`)),
  }
}

function countOf(
  agent: string,
  crawler: Crawler,
  pace: number,
  daysAgo: number,
  random: DemoRandom,
): AgentCount[] {
  const own = Math.floor(crawler.hits * pace * (0.5 + random.next()))
  const raid = agent === 'GPTBot' && isRaid(daysAgo) ? random.integer(60, 180) : 0
  const stray = crawler.listed && own > 0 && random.chance(0.08) ? random.integer(1, 6) : 0
  const hits = own + raid + stray
  if (hits === 0) return []
  // While the lists were outdated, no address could be verified.
  const isChecked = crawler.listed && daysAgo !== 60
  return [
    {
      agent,
      category: crawler.category,
      operator: crawler.operator,
      hits,
      verified: isChecked ? own : 0,
      spoofed: isChecked ? raid + stray : 0,
    },
  ]
}

/** Returns the hits of an agent that looks like a browser and is known only by its signature. A few are false. */
function signedOf(pace: number, random: DemoRandom) {
  const verified = Math.floor(9 * pace * random.next())
  const spoofed = random.chance(0.06) ? random.integer(1, 3) : 0
  const hits = verified + spoofed
  const agent = {
    agent: 'ChatGPT Agent',
    category: 'ai_answers',
    operator: 'OpenAI',
    hits,
    verified,
    spoofed,
  }
  const count = { agent: agent.agent, signer: 'chatgpt.com' }
  const signed: SignedCount[] = [
    { ...count, by: 'signature' as const, hits: verified },
    { ...count, by: 'false' as const, hits: spoofed },
  ].filter((one) => one.hits > 0)
  return { signed, agent: hits > 0 ? [agent] : [] }
}

const visitsOf = (pace: number, random: DemoRandom) =>
  Object.entries(assistants).flatMap(([host, usual]) => {
    const visits = Math.floor(usual * pace * random.next() * 2)
    return visits > 0 ? [{ host, visits }] : []
  })

/** Returns more paths than a row can list. */
function pathsOf({ services }: DemoBusiness, edgeCases: readonly string[]): string[] {
  const pages = services.map((service) => `/${encodeURIComponent(service)}`)
  const blog = Array.from({ length: 24 }, (_, n) => `/blog/${n + 1}`)
  return [
    '/',
    '/about',
    ...pages,
    '/contact',
    ...edgeCases.slice(0, 2).map((text) => `/${encodeURIComponent(text)}`),
    '/prices',
    '/opening-hours',
    ...blog,
  ]
}

/** Distributes hits over paths. The first paths get the most. */
function spread(hits: number, paths: readonly string[], random: DemoRandom, into: Map<string, number>): void {
  for (let hit = 0; hit < hits; hit++) {
    if (random.chance(unlisted)) continue
    const path = paths[Math.floor(random.next() * random.next() * paths.length)] as string
    into.set(path, (into.get(path) ?? 0) + 1)
  }
}

function mapIn<K>(maps: Map<K, Map<string, number>>, key: K): Map<string, number> {
  const known = maps.get(key)
  if (known) return known
  const made = new Map<string, number>()
  maps.set(key, made)
  return made
}

function added(maps: readonly Map<string, number>[]): Map<string, number> {
  const all = new Map<string, number>()
  for (const map of maps) for (const [path, n] of map) all.set(path, (all.get(path) ?? 0) + n)
  return all
}

const ranked = (counts: ReadonlyMap<string, number>, most: number): PathCount[] =>
  [...counts]
    .map(([path, n]) => ({ path, n }))
    .sort((a, b) => b.n - a.n || (a.path < b.path ? -1 : 1))
    .slice(0, most)
