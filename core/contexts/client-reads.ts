import type { ClientReads, ClientWorkspace } from '../contracts/clients'
import type { ListQuery } from '../contracts/context'
import type { SystemReads } from '../contracts/owner'
import { where } from '../contracts/where'

/** Returns reads that are limited to these workspaces. The only clamp: `system` may let every row through. */
export function clientReads(
  system: Pick<SystemReads, 'rows' | 'now'>,
  workspaces: readonly ClientWorkspace[],
): ClientReads {
  const own = new Set(workspaces.map(({ id }) => id))
  return {
    workspaces,
    now: system.now,
    rows(entity, among) {
      const ids = among === undefined ? [...own] : among.filter((id) => own.has(id))
      const inside = where.in('workspace_id', ids)
      const { group, list, daySums } = system.rows(entity)
      const clamped = <Q extends { readonly where?: ListQuery['where'] }>(query: Q) => ({
        ...query,
        where: query.where === undefined ? inside : where.and(inside, query.where),
      })
      return {
        group: (query) => group(clamped(query)),
        daySums: (query) => daySums(clamped(query)),
        list: (query = {}) => list(clamped(query)),
      }
    },
  }
}
