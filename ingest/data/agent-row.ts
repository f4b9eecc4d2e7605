import type { TrafficCategory } from 'renown/contracts'
import type { RangeList } from './operators'

/** How certain a name is: its operator documents it, logs show it, somebody reported it, or it is retired. */
type Confidence = 'documented' | 'observed' | 'reported' | 'legacy'

/** One row of the registry. */
export interface AgentRow {
  /** The spelling in reports, which is also a token of the user agent. */
  readonly name: string
  readonly operator: string
  readonly category: TrafficCategory
  readonly confidence: Confidence
  /**
   * `robots_only` names exist only in robots.txt, so a user agent with such a name is invented. A `namesake` is
   * another robot with a similar name. Neither is counted.
   */
  readonly class: 'ai' | 'search_engine' | 'robots_only' | 'namesake'
  /** Other tokens of the same agent. */
  readonly aliases: readonly string[]
  /** Whether it runs on its user's own machine, so that its address proves nothing. */
  readonly client: boolean
  /** URLs of the published lists with this agent's addresses. If empty, it never counts as spoofed. */
  readonly lists: readonly string[]
}

interface Options {
  readonly class?: AgentRow['class']
  readonly aliases?: readonly string[]
  readonly client?: boolean
  readonly lists?: readonly RangeList[]
}
type Short = readonly [name: string, category: TrafficCategory, confidence: Confidence, options?: Options]

/** Expands the rows of one operator. */
export function agentsOf(operator: string, rows: readonly Short[]): AgentRow[] {
  return rows.map(([name, category, confidence, options = {}]) => ({
    name,
    operator,
    category,
    confidence,
    class: options.class ?? 'ai',
    aliases: options.aliases ?? [],
    client: options.client ?? false,
    lists: (options.lists ?? []).map((list) => list.url),
  }))
}
