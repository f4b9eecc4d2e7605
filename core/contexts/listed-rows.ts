import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { type Where, where } from '../contracts/where'
import { nearest } from '../kit/suggest'
import { parseFilter } from '../query/filter'
import { withDefaults } from '../query/parse'
import type { Registry } from '../registry/registry'
import { type Caller, clampOf } from './context'
import { viewOf } from './personal'

/** The rows of a list: the record type, how the caller sees it, and the condition of the rows. */
export interface ListedRows {
  readonly entity: AnyEntity
  readonly view: AnyEntity
  readonly condition: Where
}

/**
 * Returns the rows that a list of the record type with this filter contains, on all pages: in the caller's workspace, or in
 * several that the credential reads.
 */
export function listedRows(
  registry: Registry,
  caller: Omit<Caller, 'requestId'>,
  name: string,
  q: Readonly<Record<string, unknown>> | undefined,
  workspaces: readonly string[] = [],
): ListedRows {
  const entity = listable([...registry.entities.values()], name)
  const view = viewOf(entity, caller.workspace)
  const { where: parsed, named } = q ? parseFilter(view, JSON.stringify(q)) : everyRow
  const clamp = workspaces.length === 0 ? clampOf(entity, caller) : clampAmong(entity, workspaces)
  return { entity, view, condition: where.and(clamp, withDefaults(view, parsed, named)) }
}

function clampAmong(entity: AnyEntity, workspaces: readonly string[]): Where {
  const { by } = entity.scope
  if (by === 'self' || by === 'agency') throw new Error(`${entity.name} is not in a workspace`)
  return where.in('workspace_id', workspaces)
}

const everyRow = { where: null, named: new Set<string>() }

/** Returns the record type with this name. Throws a Refusal if it cannot be listed. */
export function listable(entities: readonly AnyEntity[], name: string): AnyEntity {
  const offered = entities.filter(({ reads }) => reads.includes('list'))
  const found = offered.find((entity) => entity.name === name)
  if (found) return found
  const allowed = offered.map((entity) => entity.name).sort()
  const meant = nearest(name, allowed)
  const fault = { pointer: '/entity', code: 'invalid', message: 'is not an available record type', allowed }
  throw new Refusal('invalid_field', 'entity is not an available record type.', {
    errors: [meant ? { ...fault, did_you_mean: meant } : fault],
  })
}
