import * as v from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import type { Provided } from '../contracts/extension'
import { pointOfNames } from '../contracts/field'
import type { AnyOperation } from '../contracts/operation'
import type { AnyCommand, PluginDeclaration } from '../contracts/plugin'

/** The names that plugins provide, by extension point. */
export type ProvidedNames = ReadonlyMap<string, readonly string[]>

type Schema = v.GenericSchema & {
  readonly pipe?: readonly (v.GenericSchema | { readonly kind: string })[]
  readonly entries?: Readonly<Record<string, v.GenericSchema>>
  readonly options?: readonly unknown[]
}

/** Collects the names that plugins provide for `field.provided`. */
export function namesOf(all: readonly PluginDeclaration[]): ProvidedNames {
  const names = new Map<string, string[]>()
  const points = new Map(
    all.flatMap(({ extensionPoints = [] }) => extensionPoints.map((one) => [one.id, one])),
  )
  for (const { point, extension } of all.flatMap((plugin): readonly Provided[] => plugin.provides ?? [])) {
    const name = points.get(point)?.nameOf(extension) ?? extension.name
    names.set(point, [...(names.get(point) ?? []), name].sort())
  }
  return names
}

/**
 * Returns a plugin whose `field.provided` fields and inputs also accept the provided names. Returns the same plugin
 * when no name is new.
 */
export function withNames(plugin: PluginDeclaration, names: ProvidedNames): PluginDeclaration {
  const entities = plugin.entities?.map((entity) => entityWith(entity, names))
  const operations = plugin.operations?.map((operation) => operationWith(operation, names))
  const commands = plugin.commands?.map((command) => commandWith(command, names))
  const isSame =
    entities?.every((entity, at) => entity === plugin.entities?.[at]) !== false &&
    operations?.every((operation, at) => operation === plugin.operations?.[at]) !== false &&
    commands?.every((command, at) => command === plugin.commands?.[at]) !== false
  return isSame
    ? plugin
    : {
        ...plugin,
        ...(entities && { entities }),
        ...(operations && { operations }),
        ...(commands && { commands }),
      }
}

function entityWith(entity: AnyEntity, names: ProvidedNames): AnyEntity {
  const fields = entriesWith(entity.fields, names)
  return fields === entity.fields ? entity : { ...entity, fields }
}

function operationWith(operation: AnyOperation, names: ProvidedNames): AnyOperation {
  const input = schemaWith(operation.input, names)
  const output = schemaWith(operation.output, names)
  return input === operation.input && output === operation.output
    ? operation
    : { ...operation, input, output }
}

function commandWith(command: AnyCommand, names: ProvidedNames): AnyCommand {
  const input = schemaWith(command.input, names)
  return input === command.input ? command : { ...command, input }
}

function entriesWith<E extends Readonly<Record<string, v.GenericSchema>>>(
  entries: E,
  names: ProvidedNames,
): E {
  const changed = Object.entries(entries).map(([name, schema]) => [name, schemaWith(schema, names)] as const)
  return changed.some(([name, schema]) => schema !== entries[name])
    ? (Object.fromEntries(changed) as E)
    : entries
}

/** Returns the schema with every picklist of `field.provided` widened, or the same schema if nothing changes. */
function schemaWith(given: v.GenericSchema, names: ProvidedNames): v.GenericSchema {
  const schema = given as Schema
  if (schema.pipe) return pipeWith(schema, names)
  const changes: Record<string, unknown> = {}
  if (schema.entries) changes.entries = entriesWith(schema.entries, names)
  for (const key of ['wrapped', 'item', 'key', 'value', 'rest'] as const) {
    const inner = (schema as unknown as Readonly<Record<string, unknown>>)[key]
    if (isSchema(inner)) changes[key] = schemaWith(inner, names)
  }
  if (schema.options?.every(isSchema)) changes.options = listWith(schema.options, names)
  const now = schema as unknown as Readonly<Record<string, unknown>>
  const isChanged = Object.entries(changes).some(([key, value]) => value !== now[key])
  return isChanged ? copyOf(schema, changes) : schema
}

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'schema'

function listWith<T extends v.GenericSchema>(
  list: readonly T[],
  names: ProvidedNames,
): readonly v.GenericSchema[] {
  const changed = list.map((one) => schemaWith(one, names))
  return changed.some((one, at) => one !== list[at]) ? changed : list
}

/** Builds a pipe again, because it reads its steps from a closure. */
function pipeWith(schema: Schema, names: ProvidedNames): v.GenericSchema {
  const [first, ...steps] = schema.pipe ?? []
  const point = (v.getMetadata(schema as never) as { [pointOfNames]?: string })[pointOfNames]
  const extra = names.get(point ?? '') ?? []
  // Without names of its own, a field takes any text until a plugin provides one.
  const known = ((first as Schema).options ?? []) as readonly string[]
  const isNew = point !== undefined && extra.some((name) => !known.includes(name))
  const base = isNew
    ? v.picklist([...new Set([...known, ...extra])])
    : schemaWith(first as v.GenericSchema, names)
  return base === first
    ? schema
    : (v.pipe as unknown as (...all: unknown[]) => v.GenericSchema)(base, ...steps)
}

/** Returns a copy with the getters of the schema, which then read from the copy. */
function copyOf(schema: v.GenericSchema, changes: Readonly<Record<string, unknown>>): v.GenericSchema {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(changes) },
  ) as v.GenericSchema
}
