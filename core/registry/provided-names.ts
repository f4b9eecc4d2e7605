import * as v from 'valibot'
import type { AnyCard } from '../contracts/card'
import type { AnyEntity } from '../contracts/entity'
import type { Provided } from '../contracts/extension'
import { pointOfNames } from '../contracts/field'
import type { AnyOperation } from '../contracts/operation'
import type { AnyPage } from '../contracts/page'
import type { PluginDeclaration } from '../contracts/plugin'
import type { ProvidedNames } from './kind'

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

/** Returns the same parts if nothing changes. */
function each<T, R extends Readonly<Record<string, T>>>(parts: R, change: (one: R[string]) => R[string]): R {
  const changed = Object.entries(parts).map(([name, one]) => [name, change(one as R[string])] as const)
  return changed.some(([name, one]) => one !== parts[name]) ? (Object.fromEntries(changed) as R) : parts
}

/** Widens the schema at a key, if there is one. Returns the same declaration if nothing changes. */
export function withSchema<T extends object>(part: T, key: keyof T, names: ProvidedNames): T {
  const given: unknown = part[key]
  if (!isSchema(given)) return part
  const schema = schemaWith(given, names)
  return schema === given ? part : { ...part, [key]: schema }
}

/** Widens the inputs of the forms of a page. */
export function pageWith(page: AnyPage, names: ProvidedNames): AnyPage {
  const actions = page.actions && each(page.actions, (action) => withSchema(action, 'input', names))
  const submit = page.submit && withSchema(page.submit, 'input', names)
  return actions === page.actions && submit === page.submit
    ? page
    : { ...page, ...(actions && { actions }), ...(submit && { submit }) }
}

const isPlain = (value: object) => Object.getPrototypeOf(value) === Object.prototype

/** Widens the inputs of a card's actions. */
export function providedWith(provided: Provided, names: ProvidedNames): Provided {
  const { actions } = provided.extension as { readonly actions?: AnyCard['actions'] }
  if (typeof actions !== 'object' || actions === null || !isPlain(provided.extension)) return provided
  const widened = each(actions, (action) => withSchema(action, 'input', names))
  return widened === actions
    ? provided
    : { ...provided, extension: { ...provided.extension, actions: widened } as Provided['extension'] }
}

/** Widens the fields of a record type. */
export function entityWith(entity: AnyEntity, names: ProvidedNames): AnyEntity {
  const fields = entriesWith(entity.fields, names)
  return fields === entity.fields ? entity : { ...entity, fields }
}

/** Widens the input and the output of an operation. */
export function operationWith(operation: AnyOperation, names: ProvidedNames): AnyOperation {
  const input = schemaWith(operation.input, names)
  const output = schemaWith(operation.output, names)
  return input === operation.input && output === operation.output
    ? operation
    : { ...operation, input, output }
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
  const point = (v.getMetadata(schema) as { [pointOfNames]?: string })[pointOfNames]
  const extra = names.get(point ?? '') ?? []
  // Without its own names, a field accepts any text until a plugin provides one.
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
