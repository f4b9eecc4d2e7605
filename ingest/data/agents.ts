import type { AgentRow } from './agent-row'
import { largeOperators } from './agents-large'
import { smallOperators } from './agents-small'

export type { AgentRow } from './agent-row'

/** The registry: every agent that is counted, search engines a site may ask for, and names that are dropped. */
export const agents: readonly AgentRow[] = [...largeOperators, ...smallOperators]
