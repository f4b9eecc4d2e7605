import type { TrafficCategory } from 'renown/contracts'
import { type AgentRow, agents } from './data/agents'

export { assistantOf, beaconLists } from './assistant'

/** A known agent, as a user agent names it. */
export interface Agent {
  readonly name: string
  readonly operator: string
  readonly category: TrafficCategory
  /** `search_engine` counts only for sites that ask for it. */
  readonly class: 'ai' | 'search_engine'
  /** Runs on its user's own machine: never spoofed. */
  readonly client: boolean
  /** URLs of the published lists that hold this agent's own traffic. */
  readonly lists: readonly string[]
}

/** User agents are read to this length, in UTF-16 units. */
export const userAgentMax = 1024

// Null stands for a name that only robots.txt knows.
const byToken = new Map<string, Agent | null>(agents.flatMap(tokensOf))
const pattern = patternOf([...byToken.keys()])

/**
 * The agent that a user agent names, or null. Case does not matter, a name must stand between characters that are
 * neither letters nor digits, and of several names the leftmost counts.
 */
// No cache by user agent: its keys are slices of whole request bodies and would keep these, addresses included, alive.
export function classify(ua: string): Agent | null {
  const match = pattern.exec(ua.length > userAgentMax ? ua.slice(0, userAgentMax) : ua)
  return match ? (byToken.get(match[0].toLowerCase()) ?? null) : null
}

function tokensOf(row: AgentRow): [string, Agent | null][] {
  const agent = row.class === 'robots_only' ? null : agentOf(row, row.class)
  // A client variant is known by its longer alias alone: the bare name is the hosted agent's.
  const variant = row.client && row.aliases.length > 0
  return (variant ? row.aliases : [row.name, ...row.aliases]).map((token) => [token.toLowerCase(), agent])
}

function agentOf(row: AgentRow, kind: Agent['class']): Agent {
  const { name, operator, category, client, lists } = row
  return { name, operator, category, class: kind, client, lists }
}

/** One alternation of all tokens, folded by common beginnings, which matches a third faster; the longest name wins. */
function patternOf(tokens: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z0-9])${folded(tokens)}(?![a-z0-9])`, 'i')
}

function folded(endings: readonly string[]): string {
  const byFirst = Map.groupBy(
    endings.filter((ending) => ending !== ''),
    (ending) => ending.charAt(0),
  )
  const branches = [...byFirst].map(
    ([first, group]) => first.replace(/[^a-z0-9]/, '\\$&') + folded(group.map((ending) => ending.slice(1))),
  )
  const [only = ''] = branches
  const mayEnd = endings.includes('')
  return branches.length < 2 && !(mayEnd && only) ? only : `(?:${branches.join('|')})${mayEnd ? '?' : ''}`
}
