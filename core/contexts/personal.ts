import type { WorkspaceInfo } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'

const views = new WeakMap<AnyEntity, AnyEntity>()

/** Returns an entity as the callers of a workspace see it. Personal fields are hidden when the workspace says so. */
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

/** Returns the personal fields that are hidden from plugin code too. */
export const withheldFields = (entity: AnyEntity, workspace: WorkspaceInfo): readonly string[] =>
  workspace.redact_pii ? (entity.personal ?? []) : []
