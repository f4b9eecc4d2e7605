import type { WorkspaceInfo } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { oncePer } from '../kit/once-per'

/** Returns an entity as the callers of a workspace see it. Personal fields are hidden when the workspace says so. */
export function viewOf(entity: AnyEntity, workspace: WorkspaceInfo): AnyEntity {
  return workspace.redact_pii && entity.personal?.length ? redacted(entity) : entity
}

const redacted = oncePer((entity: AnyEntity): AnyEntity => {
  const { personal = [] } = entity
  const names = new Set<string>(personal)
  const shown = (of: readonly string[] = []) => of.filter((name) => !names.has(name))
  return {
    ...entity,
    hidden: [...(entity.hidden ?? []), ...personal],
    sortable: shown(entity.sortable),
    searchable: shown(entity.searchable),
  }
})

/** Returns the personal fields that are hidden from plugin code too. */
export const withheldFields = (entity: AnyEntity, workspace: WorkspaceInfo): readonly string[] =>
  workspace.redact_pii ? (entity.personal ?? []) : []
