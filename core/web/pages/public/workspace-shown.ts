import type { Row } from '../../../contracts/entity'
import { isRefusal } from '../../../contracts/errors'
import type { OwnerContext } from '../../../contracts/plugin'
import type { Host } from '../../../requests/host'
import { Workspace } from '../../../tenancy/Workspace'

/**
 * Returns the workspace if people outside may see something of it on this host: an agency's domain shows nothing of
 * another agency, and inactive workspaces show nothing. Otherwise null.
 */
export async function workspaceShown(
  owner: OwnerContext,
  host: Pick<Host, 'agency_id'>,
  workspaceId: string,
): Promise<Row<typeof Workspace> | null> {
  const workspace = await owner.rows(Workspace).get(workspaceId)
  if (!workspace || (host.agency_id !== null && host.agency_id !== workspace.agency_id)) return null
  try {
    await owner.requireActive(workspace.id)
    return workspace
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}
