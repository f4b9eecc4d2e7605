import { insufficient } from '../auth/authorize'
import type { AuthenticatedState } from '../requests/request'
import { countTool } from './count'
import { isEventMethod } from './events/methods'
import type { RequestToolsDeps } from './request-tools'

/**
 * Refuses a tool or a method for events that the credential's scopes do not allow, before the protocol handles it. Clients ask people for
 * more access only on status 403 with its challenge. The refusal counts against the limits like the call.
 */
export function checkScopes(
  { table, limits }: RequestToolsDeps,
  state: AuthenticatedState,
  body: unknown,
): void {
  const { scopes } = state.principal
  if (scopes.includes('read') && scopes.includes('write')) return
  for (const message of Array.isArray(body) ? body : [body]) {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
    if (isEventMethod(method)) {
      const scope = method === 'events/subscribe' ? 'write' : 'read'
      if (!scopes.includes(scope)) throw insufficient(method, scope)
    }
    const tool = method === 'tools/call' ? table.tools.get(String(params?.name)) : undefined
    const needed = tool?.writes ? 'write' : 'read'
    if (!tool || scopes.includes(needed)) continue
    countTool(limits, state, tool)
    throw insufficient(tool.listing.name, needed)
  }
}
