import type { Row } from '../contracts/entity'
import type { Documents } from '../stores/documents/port'
import { cachedDocuments } from '../stores/documents/read-cache'
import { Workspace } from './Workspace'

/**
 * Looks up the agency of a workspace. An id that is not a workspace, such as an agency's own id, is returned
 * unchanged.
 */
export function createAgencyOf(documents: Documents): (workspaceId: string) => Promise<string> {
  let row: ((id: string) => Promise<Row<typeof Workspace> | null>) | undefined
  return async (workspaceId) => {
    row ??= cachedDocuments(documents.collection(Workspace))
    return (await row(workspaceId))?.agency_id ?? workspaceId
  }
}
