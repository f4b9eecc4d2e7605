import type { WorkspaceInfo } from '../contracts/context'
import { isRefusal } from '../contracts/errors'
import type { Caller, ContextDeps } from './context'
import { groupedRecords } from './grouped-records'
import type { GroupedRequest, GroupedValue, OwnedValue } from './summed-groups'

/**
 * Counts the rows of lists in several workspaces that the credential reads, those of one time zone at once. If that is too much for
 * one read, each workspace is read by itself.
 */
export async function groupedAcross(
  deps: ContextDeps,
  caller: Omit<Caller, 'requestId'>,
  request: GroupedRequest,
  workspaces: readonly WorkspaceInfo[],
): Promise<ReadonlyMap<string, GroupedValue[]>> {
  const alike = Map.groupBy(workspaces, ({ timezone, redact_pii }) => `${timezone} ${redact_pii === true}`)
  const found: OwnedValue[] = []
  const isAlone = deps.registry.entities.get(request.entity)?.scope.by === 'self'
  const readAlone = async (some: readonly WorkspaceInfo[]) => {
    for (const workspace of some)
      found.push(...(await groupedRecords(deps, { ...caller, workspace }, request)))
  }
  for (const some of alike.values()) {
    const [workspace = caller.workspace] = some
    if (some.length === 1 || isAlone) {
      await readAlone(some)
      continue
    }
    const ids = some.map(({ id }) => id)
    try {
      found.push(...(await groupedRecords(deps, { ...caller, workspace }, request, ids)))
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'filter_too_broad') throw error
      await readAlone(some)
    }
  }
  return Map.groupBy(found, ({ workspace }) => workspace)
}
