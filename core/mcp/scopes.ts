import { insufficient } from '../auth/authorize'
import type { Principal } from '../gateway/request'
import type { Table } from './table'

/**
 * A tool that the credential's scopes do not reach is refused before the protocol has a say: it is the status 403 with its
 * challenge on which clients ask people for more.
 */
export function checkScopes({ tools }: Pick<Table, 'tools'>, { scopes }: Principal, body: unknown): void {
  if (scopes.includes('read') && scopes.includes('write')) return
  for (const message of Array.isArray(body) ? body : [body]) {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
    const tool = method === 'tools/call' ? tools.get(String(params?.name)) : undefined
    const needed = tool?.writes ? 'write' : 'read'
    if (tool && !scopes.includes(needed)) throw insufficient(tool.listing.name, needed)
  }
}
