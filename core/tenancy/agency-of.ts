import type { Documents } from '../stores/documents/port'
import { keptDocuments } from '../stores/documents/read-cache'
import { Workspace } from './Workspace'

/** Looks up the agency of a workspace. An id that is no workspace, such as an agency's own, stands for itself. */
export function createAgencyOf(documents: Documents): (workspaceId: string) => Promise<string> {
  let row: ReturnType<typeof keptDocuments> | undefined
  return async (workspaceId) => {
    row ??= keptDocuments(documents.collection(Workspace))
    const agency = (await row(workspaceId))?.agency_id
    return typeof agency === 'string' ? agency : workspaceId
  }
}
