import { Refusal } from '../contracts/errors'
import { where } from '../contracts/where'
import type { Documents } from '../stores/documents/port'
import { cachedDocuments } from '../stores/documents/read-cache'
import { Agency } from './Agency'
import { Workspace } from './Workspace'

const rowsMax = 100_000

/** Finds what is inactive: inactive workspaces, and all workspaces of inactive agencies. */
export interface WorkedOn {
  /** Returns the ids of inactive agencies and of every workspace that is not worked on. */
  inactive(): Promise<readonly string[]>
  /** Returns whether jobs of a workspace run. Takes an agency's id too, and is true for an id that has no row. */
  isWorkedOn(workspaceId: string): Promise<boolean>
}

/** Returns the refusal of a call that would start work for an inactive workspace. */
export const inactiveWorkspace = (): Refusal =>
  new Refusal('workspace_inactive', 'The workspace or its agency is inactive. Renown does no work for it.', {
    hint: 'Reads are still answered. Make the workspace active again first, or choose another one.',
  })

export function createWorkedOn(documents: Documents): WorkedOn {
  const read = () => ({
    workspaceRow: cachedDocuments(documents.collection(Workspace)),
    agencyRow: cachedDocuments(documents.collection(Agency)),
  })
  let rows: ReturnType<typeof read> | undefined
  return {
    async inactive() {
      const isOff = where.eq('is_active', false)
      const agencies = await documents.collection(Agency).find({ where: isOff, limit: rowsMax })
      const ids = agencies.map(({ id }) => id)
      const isTheirs = ids.length > 0 ? where.or(isOff, where.in('agency_id', ids)) : isOff
      const workspaces = await documents.collection(Workspace).find({ where: isTheirs, limit: rowsMax })
      return [...ids, ...workspaces.map(({ id }) => id)]
    },
    async isWorkedOn(id) {
      rows ??= read()
      const { workspaceRow, agencyRow } = rows
      const workspace = await workspaceRow(id)
      if (workspace?.is_active === false) return false
      const agency = await agencyRow(workspace?.agency_id ?? id)
      return agency?.is_active !== false
    },
  }
}
