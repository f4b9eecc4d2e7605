import type * as v from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import { shapeOf } from '../kit/fields'
import { oncePer } from '../kit/once-per'
import { argumentsIn, type IdLike, idsIn, markOf } from './reference-checks'
import type { Registry } from './registry'

/** An argument that takes the id of a record, or several. */
export interface Reference {
  /** Names of fields that lead to it. `*` stands for every element of a list. */
  readonly path: readonly string[]
  readonly entity: AnyEntity
  /** Whether the operation itself reports ids that no record has. */
  readonly isBatch: boolean
}

/** Returns the record type that a name such as `location_id` or `location_ids` means for a plugin, or null. */
export function entityNamed(registry: Registry, name: string, plugin: string): AnyEntity | null {
  const entities = argumentsOf(registry).get(name.replace(/_ids$/, '_id')) ?? []
  // Several plugins may have the same argument. The plugin of the operation or of the listed record type is meant first.
  return entities.find((one) => registry.pluginOf('entity', one.name) === plugin) ?? entities[0] ?? null
}

/** Whether a field contains ids of records of any type. */
export const namesAnyRecord = (schema: v.GenericSchema): boolean => 'ofAnyType' in (markOf(schema) ?? {})

const argumentsOf = oncePer((registry: Registry) => argumentsIn(registry.entities.values()))

/** Returns the arguments of a schema that take ids of records, for an operation or command of a plugin. */
export function referencesIn(
  registry: Registry,
  schema: v.GenericSchema,
  plugin: string,
): readonly Reference[] {
  const known = knownOf(registry)
  const ofSchema = known.get(schema) ?? new Map<string, readonly Reference[]>()
  known.set(schema, ofSchema)
  const found =
    ofSchema.get(plugin) ?? [...idsIn(shapeOf(schema))].flatMap((one) => referenceOf(registry, one, plugin))
  ofSchema.set(plugin, found)
  return found
}

const knownOf = oncePer((_: Registry) => new WeakMap<v.GenericSchema, Map<string, readonly Reference[]>>())

function referenceOf(registry: Registry, { path, name, mark, isList }: IdLike, plugin: string): Reference[] {
  const marked = mark && 'entity' in mark ? registry.entities.get(mark.entity) : null
  const entity = mark ? marked : entityNamed(registry, name, plugin)
  if (!entity) return []
  const isBatch = mark !== undefined && 'entity' in mark && mark.isBatch === true
  return [{ path: isList ? [...path, '*'] : path, entity, isBatch }]
}
