import type { Limits } from '../requests/limits'
import type { AuthenticatedState } from '../requests/request'
import type { Tool } from './tool'

/*
 * All that an MCP request counts as; `charges` says against which limits. A call of a tool counts when the tool is called, as the same call
 * over REST does. Every other message is a read, a call without an id among them, since nobody is answered.
 */

type Counts = Pick<Limits, 'count'>

/** Counts a request before its body is read. */
export const countRequest = (limits: Counts, state: AuthenticatedState): void =>
  limits.count(state, 'mcpRequest', { credential: state.principal.id })

/**
 * Counts the messages of a body. Each message of a batch after the first counts as a request, even if it calls no
 * tool.
 */
export function countMessages(limits: Counts, state: AuthenticatedState, body: unknown): void {
  const credential = state.principal.id
  const [first, ...others] = Array.isArray(body) ? body : [body]
  for (const message of [first, ...others]) {
    if (!isCall(message) || !hasId(message)) limits.count(state, 'mcpMessage', { credential })
  }
  for (const _ of others) limits.count(state, 'mcpFurtherMessage', { credential })
}

/** Counts a call of a tool. */
export const countTool = (limits: Counts, state: AuthenticatedState, { isRead }: Tool): void =>
  limits.count(state, isRead ? 'mcpRecordTool' : 'mcpOperationTool', { credential: state.principal.id })

/** Counts a call that the protocol refused before any tool was called. */
export const countRefusedCall = (limits: Counts, state: AuthenticatedState): void =>
  limits.count(state, 'mcpRefusedCall', { credential: state.principal.id })

/** Whether a message calls a tool. */
export const isCall = (message: unknown): boolean =>
  (message as { method?: unknown } | null | undefined)?.method === 'tools/call'

const hasId = (message: unknown) => (message as { id?: unknown } | null | undefined)?.id !== undefined
