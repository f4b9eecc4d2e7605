import { where } from '../contracts/where'
import type { NamedWorkspace } from '../tenancy/named-workspaces'
import { type Asker, type ContextDeps, clampOf, meets } from './context'

type Deps = Pick<ContextDeps, 'registry' | 'sources'>

/** Returns the first `limit` workspaces of the caller's agency that the credential reads, sorted by name. */
export async function readableWorkspaces(
  { registry, sources }: Deps,
  caller: Asker,
  limit: number,
): Promise<NamedWorkspace[]> {
  const entity = registry.entities.get('Workspace')
  if (!entity) return []
  const own = where.eq('agency_id', caller.credential.agency_id)
  const condition = where.and(clampOf(entity, caller), own)
  const sort = [{ field: 'name', direction: 'asc' }] as const
  return (await sources.reader(entity).find({ where: condition, sort, limit })).map(namedOf)
}

/** Returns the workspace with this id, of any agency. Null if the credential cannot read it. */
export async function readableWorkspace(
  { registry, sources }: Deps,
  caller: Asker,
  id: string,
): Promise<NamedWorkspace | null> {
  const entity = registry.entities.get('Workspace')
  const row = entity ? await sources.reader(entity).get(id) : null
  return row && entity && meets(row, clampOf(entity, caller)) ? namedOf(row) : null
}

const namedOf = (row: Readonly<Record<string, unknown>>): NamedWorkspace => ({
  id: String(row.id),
  agency_id: String(row.agency_id),
  name: String(row.name ?? ''),
  timezone: String(row.timezone),
  is_home: row.is_home === true,
  redact_pii: row.redact_pii === true,
})
