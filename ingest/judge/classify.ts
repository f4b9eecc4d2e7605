import type { TrafficCategory } from 'renown/contracts'
import { type AgentRow, agents } from '../data/agents'
import { createTokens } from './tokens'

export { assistantOf, beaconLists } from './assistant'

/** A known agent, as a user agent names it. */
export interface Agent {
  readonly name: string
  readonly operator: string
  readonly category: TrafficCategory
  /** `search_engine` counts only for sites that turn it on. */
  readonly class: 'ai' | 'search_engine'
  /** Runs on its user's own machine: never spoofed. */
  readonly client: boolean
  /** URLs of the published lists with this agent's own addresses. */
  readonly lists: readonly string[]
}

/** Maximum UTF-16 units of a user agent that are read. */
export const userAgentMax = 1024

// Null marks a name that is not counted.
const agentTokens = agents.flatMap(tokensOf)
const find = createTokens(agentTokens.map(([token]) => token))

/**
 * Returns the agent that a user agent names, or null. Ignores case. A name must be between characters that
 * are neither letters nor digits. The leftmost name counts.
 */
// There is no cache by user agent: its keys would be slices of whole request bodies and keep these, with
// their addresses, in memory.
export function classify(ua: string): Agent | null {
  const at = find(ua.slice(0, userAgentMax))
  return agentTokens[at]?.[1] ?? null
}

function tokensOf(row: AgentRow): [string, Agent | null][] {
  const { class: kind } = row
  const agent = kind === 'robots_only' || kind === 'namesake' ? null : agentOf(row, kind)
  // A client variant is recognized only by its longer alias. The bare name belongs to the hosted agent.
  const variant = row.client && row.aliases.length > 0
  return (variant ? row.aliases : [row.name, ...row.aliases]).map((token) => [token, agent])
}

function agentOf(row: AgentRow, kind: Agent['class']): Agent {
  const { name, operator, category, client, lists } = row
  return { name, operator, category, class: kind, client, lists }
}
