import type { WorkspaceInfo } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'

const views = new WeakMap<AnyEntity, AnyEntity>()

/** An entity as the callers of a workspace see it: personal fields are hidden ones where the workspace says so. */
export function viewOf(entity: AnyEntity, workspace: WorkspaceInfo): AnyEntity {
  if (!workspace.redact_pii || !entity.personal?.length) return entity
  const known = views.get(entity)
  if (known) return known
  const personal = new Set<string>(entity.personal)
  const shown = (names: readonly string[] = []) => names.filter((name) => !personal.has(name))
  const view: AnyEntity = {
    ...entity,
    hidden: [...(entity.hidden ?? []), ...entity.personal],
    sortable: shown(entity.sortable),
    searchable: shown(entity.searchable),
  }
  views.set(entity, view)
  return view
}

/** The personal fields that plugin code does not get to see either. */
export const keptBack = (entity: AnyEntity, workspace: WorkspaceInfo): readonly string[] =>
  workspace.redact_pii ? (entity.personal ?? []) : []
