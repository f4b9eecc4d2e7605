import type { ReadContext } from '../contracts/context'
import type { Registry } from '../registry/registry'
import type { Documents } from '../stores/documents/port'
import { Workspace } from '../tenancy/Workspace'
import { readContext } from './context'
import type { Sources } from './sources'

interface Deps {
  readonly registry: Registry
  readonly documents: Documents
  readonly sources: Sources
  readonly now: () => Date
}

/** Makes the context of reads inside one workspace, as an operation has it. Null if there is no such workspace. */
export function createWorkspaceReads(deps: Deps): (workspaceId: string) => Promise<ReadContext | null> {
  return async (workspaceId) => {
    const row = await deps.documents.collection(Workspace).get(workspaceId)
    if (!row) return null
    const { id, agency_id, timezone, is_home, redact_pii } = row
    return readContext(deps, {
      workspace: { id, agency_id, timezone, is_home, ...(redact_pii === true ? { redact_pii } : {}) },
      credential: { kind: 'person', agency_id, platform: false, scopes: ['read'], workspace_ids: [id] },
      requestId: `inside-${id}`,
    })
  }
}
