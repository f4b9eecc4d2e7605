import type { Registry } from '../registry/registry'
import type { Documents } from '../stores/documents/port'
import { Workspace } from '../tenancy/Workspace'

/** Workspaces that one run repairs. The next run takes the others. */
const workspacesMax = 2_000

/** Returns what computes the sums by day that changed since they were last read, one workspace after another. */
export const createRepairSums =
  ({ registry, documents }: { readonly registry: Registry; readonly documents: Documents }) =>
  async (signal: AbortSignal): Promise<void> => {
    if (!registry.entities.has(Workspace.name)) return
    for (const entity of registry.entities.values()) {
      if (entity.store === 'columns' || !entity.daySums) continue
      const sums = documents.collection(entity).daySums
      for (const id of sums?.touchedWorkspaces(workspacesMax) ?? []) {
        if (signal.aborted) return
        const workspace = await documents.collection(Workspace).get(id)
        await (workspace ? sums?.repair(id, workspace.timezone) : sums?.forget(id))
      }
    }
  }
