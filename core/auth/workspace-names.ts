import type { Row } from '../contracts/entity'
import type { Fault } from '../contracts/errors'
import { type Where, where } from '../contracts/where'
import type { Principal } from '../requests/request'
import type { Documents } from '../stores/documents/port'
import { isWorkspaceName, namedWorkspace } from '../tenancy/named-workspaces'
import { Workspace } from '../tenancy/Workspace'

const matchesMax = 50

type WorkspaceRow = Row<typeof Workspace>

/**
 * Returns a function that finds the workspace with a name, among those of the credential's agency that it reads. So names
 * and suggestions say nothing about other agencies, even to a credential that reads them by id.
 */
export function createWorkspaceNames(documents: Documents) {
  const workspaces = documents.collection(Workspace)
  return async (text: string, principal: Principal, at: Partial<Fault>): Promise<WorkspaceRow> => {
    const { agency_id, workspace_ids } = principal
    const readable = where.and(
      where.eq('agency_id', agency_id),
      ...(workspace_ids ? [where.in('id', workspace_ids)] : []),
    )
    const list = (condition: Where) =>
      workspaces.find({
        where: condition,
        sort: [{ field: 'name', direction: 'asc' }],
        limit: matchesMax,
      })
    const near: Where = { op: 'contains', field: 'name', value: text.trim() }
    const containing = await list(where.and(readable, near))
    // The name itself may come after more names that contain it than are read.
    const exact = await (containing.length < matchesMax
      ? []
      : list(where.and(readable, where.eq('name', text.trim()))))
    const found = [...exact, ...containing.filter(({ id }) => exact.every((one) => one.id !== id))]
    const isFound = found.some(({ name }) => isWorkspaceName(name, text))
    return namedWorkspace(isFound ? found : await list(readable), text, at)
  }
}
