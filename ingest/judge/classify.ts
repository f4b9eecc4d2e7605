import type { TrafficCategory } from 'renown/contracts'
import { tokensOfAgent } from 'renown/contracts'
import { type AgentRow, agents } from '../data/agents'
import { createTokens } from './tokens'

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

/**
 * Returns the agent that a user agent names, or null. Ignores case. A name must be between characters that
 * are neither letters nor digits. The leftmost name counts.
 */
export type Classify = (ua: string) => Agent | null

// There is no cache by user agent: its keys would be slices of whole request bodies and keep these, with
// their addresses, in memory.
/** Creates the search for the agents of a registry. */
export function createClassify(rows: readonly AgentRow[]): Classify {
  // Null marks a name that is not counted.
  const agentTokens = rows.flatMap(tokensOf)
  const find = createTokens(agentTokens.map(([token]) => token))
  return (ua) => agentTokens[find(ua.slice(0, userAgentMax))]?.[1] ?? null
}

/** Finds the agents of this release. */
export const classify: Classify = createClassify(agents)

function tokensOf(row: AgentRow): [string, Agent | null][] {
  const { class: kind } = row
  const agent = kind === 'robots_only' || kind === 'namesake' ? null : agentOf(row, kind)
  return tokensOfAgent(row).map((token) => [token, agent])
}

function agentOf(row: AgentRow, kind: Agent['class']): Agent {
  const { name, operator, category, client, lists } = row
  return { name, operator, category, class: kind, client, lists }
}
