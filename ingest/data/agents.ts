import type { AgentRow } from './agent-row'
import { largeOperators } from './agents-large'
import { smallOperators } from './agents-small'

export type { AgentRow } from './agent-row'

/**
 * The registry: every counted agent, search engines that a site may count, and names that are not counted.
 */
export const agents: readonly AgentRow[] = [...largeOperators, ...smallOperators]
