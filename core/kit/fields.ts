import * as v from 'valibot'
import type { Deprecation } from '../contracts/deprecation'
import type { AnyEntity, BaseRow, Row } from '../contracts/entity'
import { instant, isStorable, ours } from '../contracts/values'

export type FieldKind = 'string' | 'number' | 'integer' | 'boolean' | 'instant' | 'day' | 'array' | 'object'

/** What a valibot schema says about its values. */
export interface Shape {
  readonly schema: v.GenericSchema
  readonly kind: FieldKind
  /** The values that a picklist or literal accepts. */
  readonly values?: readonly (string | number | boolean)[]
  /** The elements of an array. */
  readonly element?: Shape
  /** The declared entries of an object. Absent if it accepts any key. */
  readonly fields?: readonly Field[]
  /** Whether null is a valid value. */
  readonly nullable: boolean
  /** Whether the value may be missing. */
  readonly optional: boolean
  readonly description?: string
  readonly deprecated?: Deprecation
}

/** One field of an entity, or an entry of an object field. */
export interface Field extends Shape {
  readonly name: string
  /** The dotted name, starting at the record's root. */
  readonly path: string
  /** Whether callers cannot see the field. */
  readonly hidden: boolean
  /** Whether the field is passed through unchanged and cannot be filtered by. */
  readonly opaque: boolean
  /** Whether the field accepts `$contains` and `$startsWith`. */
  readonly searchable: boolean
  readonly sortable: boolean
}

const baseFields = {
  id: ours(v.pipe(v.string(), v.check(isStorable), v.description('Opaque id.'))),
  workspace_id: ours(v.pipe(v.string(), v.description('The workspace the record belongs to.'))),
  created_date: v.pipe(instant(), v.description('When the record was created.')),
  updated_date: v.pipe(instant(), v.description('When the record last changed.')),
}

const memo = new WeakMap<AnyEntity, ReadonlyMap<string, Field>>()

/**
 * Returns every field of an entity: `id` and `workspace_id` first, then the declared ones, then the two
 * dates.
 */
export const fieldsOf = (entity: AnyEntity): readonly Field[] => [...fieldMap(entity).values()]

/** Returns the fields that callers see, in order. */
export const visibleFields = (entity: AnyEntity): readonly Field[] =>
  fieldsOf(entity).filter((field) => !field.hidden)

/** Returns the day or instant that a period of the record type is about. */
export function periodFieldOf(entity: AnyEntity): string {
  if (entity.periodField) return entity.periodField
  const sorted = fieldMap(entity).get((entity.defaultSort ?? '').replace(/^-/, ''))
  return sorted && (sorted.kind === 'day' || sorted.kind === 'instant') ? sorted.name : 'created_date'
}

/** Returns the names of the fields that callers never see. */
export const hiddenFields = (entity: AnyEntity): readonly string[] =>
  fieldsOf(entity)
    .filter((field) => field.hidden)
    .map((field) => field.name)

/**
 * Returns the field with a dotted name, or undefined if none is declared. Does not look into arrays of
 * objects.
 */
export function fieldAt(entity: AnyEntity, path: string): Field | undefined {
  const [head = '', ...rest] = path.split('.')
  let field = fieldMap(entity).get(head)
  for (const name of rest) field = field?.fields?.find((entry) => entry.name === name)
  return field
}

/** Returns the schema of a whole stored row. It rejects unknown keys and values that a store cannot hold. */
export function rowSchema(entity: AnyEntity) {
  const entries: Record<string, v.GenericSchema> = {}
  for (const field of fieldsOf(entity)) entries[field.name] = field.schema
  return v.pipe(
    v.strictObject(entries),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const fault = unstorable(dataset.value, '')
      if (fault) addIssue({ message: fault })
    }),
  ) as unknown as v.GenericSchema<unknown, BaseRow & Record<string, unknown>>
}

/** Returns the schema of the fields that callers see, as lists and `get` return them. It rejects unknown fields. */
export function visibleSchema(entity: AnyEntity) {
  const entries: Record<string, v.GenericSchema> = {}
  for (const field of visibleFields(entity)) entries[field.name] = field.schema
  return v.object(entries)
}

/** Returns the schema of a record in an operation's output, with more fields if given. Use it with `visibleRow`. */
export function recordSchema<E extends AnyEntity, const X extends v.ObjectEntries = Record<never, never>>(
  entity: E,
  further?: X,
): v.GenericSchema<unknown, Row<E> & { [K in keyof X]: v.InferOutput<X[K]> }> {
  const { entries } = visibleSchema(entity)
  return v.object({ ...entries, ...further }) as unknown as v.GenericSchema<
    unknown,
    Row<E> & { [K in keyof X]: v.InferOutput<X[K]> }
  >
}

/** Returns a row as callers see it, without the hidden fields. */
export function visibleRow<E extends AnyEntity>(entity: E, row: Row<E>): Row<E> {
  const shown: Record<string, unknown> = { ...row }
  for (const name of hiddenFields(entity)) delete shown[name]
  return shown as Row<E>
}

/** Returns the name of the field that a path begins with. */
export const headOf = (path: string): string => (path.split('.', 1) as [string])[0]

/** Returns the shape of a schema's values, ignoring `optional`, `nullable` and pipes. */
export function shapeOf(schema: v.GenericSchema, at?: Pick<Field, 'path' | 'opaque' | 'hidden'>): Shape {
  const { inner, nullable, optional } = unwrap(schema)
  const description = v.getDescription(schema as Parameters<typeof v.getDescription>[0]) ?? describe(inner)
  return {
    schema,
    nullable,
    optional,
    ...(description === undefined ? {} : { description }),
    ...deprecationOf(schema, inner),
    ...kindOf(inner, at),
  }
}

function fieldMap(entity: AnyEntity): ReadonlyMap<string, Field> {
  const known = memo.get(entity)
  if (known) return known
  const { id, workspace_id, created_date, updated_date } = baseFields
  const declared = entity.fields as Record<string, v.GenericSchema>
  const schemas = { id, workspace_id, ...declared, created_date, updated_date, ...pick(declared) }
  const hidden = new Set<string>(entity.hidden ?? [])
  if (!Object.hasOwn(declared, 'workspace_id')) hidden.add('workspace_id')
  const lists = {
    hidden,
    opaque: new Set<string>(entity.opaque ?? []),
    searchable: new Set<string>(entity.searchable ?? []),
    sortable: new Set<string>(entity.sortable),
  }
  const map = new Map<string, Field>()
  for (const [name, schema] of Object.entries(schemas)) map.set(name, fieldFrom(name, schema, lists))
  memo.set(entity, map)
  return map
}

/** Declared versions of the two dates replace the default ones, which come last. */
function pick(declared: Record<string, v.GenericSchema>) {
  const own: Record<string, v.GenericSchema> = {}
  for (const name of ['created_date', 'updated_date']) {
    const schema = declared[name]
    if (schema) own[name] = schema
  }
  return own
}

type Lists = Readonly<Record<'hidden' | 'opaque' | 'searchable' | 'sortable', ReadonlySet<string>>>

function fieldFrom(name: string, schema: v.GenericSchema, lists: Lists): Field {
  const flags = { path: name, hidden: lists.hidden.has(name), opaque: lists.opaque.has(name) }
  return {
    name,
    ...flags,
    searchable: lists.searchable.has(name),
    sortable: lists.sortable.has(name),
    ...shapeOf(schema, flags),
  }
}

interface Loose {
  readonly type: string
  readonly wrapped?: v.GenericSchema
  readonly pipe?: readonly Loose[]
  readonly metadata?: Record<string, unknown>
  readonly options?: readonly (string | number | boolean | v.GenericSchema)[]
  readonly literal?: unknown
  readonly item?: v.GenericSchema
  readonly entries?: Record<string, v.GenericSchema>
}
const loose = (schema: v.GenericSchema) => schema as unknown as Loose

function unwrap(schema: v.GenericSchema) {
  let inner = schema
  let nullable = false
  let optional = false
  for (;;) {
    const { type, wrapped, pipe } = loose(inner)
    const first = pipe?.[0]
    if (wrapped) {
      nullable ||= type === 'nullable' || type === 'nullish'
      optional ||= ['optional', 'nullish', 'exact_optional', 'undefinedable'].includes(type)
      inner = wrapped
    } else if (first && first !== loose(inner) && first.wrapped) inner = first as unknown as v.GenericSchema
    else return { inner, nullable, optional }
  }
}

const describe = (schema: v.GenericSchema) =>
  v.getDescription(schema as Parameters<typeof v.getDescription>[0])

function deprecationOf(...schemas: readonly v.GenericSchema[]): Pick<Shape, 'deprecated'> {
  for (const schema of schemas) {
    const { deprecated } = v.getMetadata(schema as Parameters<typeof v.getMetadata>[0]) as Pick<
      Shape,
      'deprecated'
    >
    if (deprecated) return { deprecated }
  }
  return {}
}

type KindPart = Pick<Shape, 'kind' | 'values' | 'element' | 'fields'>

function kindOf(schema: v.GenericSchema, at?: Pick<Field, 'path' | 'opaque' | 'hidden'>): KindPart {
  const { type, item, options, literal } = loose(schema)
  const actions = flatten(loose(schema))
  const mark = actions.find((action) => action.type === 'metadata')?.metadata?.value
  if (mark === 'instant' || mark === 'day') return { kind: mark }
  if (type === 'array' || type === 'tuple') {
    return { kind: 'array', ...(item ? { element: shapeOf(item) } : {}) }
  }
  if (type === 'picklist' || type === 'enum') return fromValues(options ?? [])
  if (type === 'literal') return fromValues([literal])
  if (type === 'union') return fromUnion(options ?? [])
  if (type === 'boolean') return { kind: 'boolean' }
  if (type === 'number') {
    const whole = actions.some((action) => action.type === 'integer' || action.type === 'safe_integer')
    return { kind: whole ? 'integer' : 'number' }
  }
  if (type === 'string') return { kind: 'string' }
  return { kind: 'object', ...entriesOf(schema, at) }
}

function flatten(schema: Loose): Loose[] {
  return (schema.pipe ?? []).flatMap((action) => (action.pipe ? flatten(action) : [action]))
}

function fromValues(values: readonly unknown[]): KindPart {
  const plain = values.filter(
    (value): value is string | number | boolean =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
  )
  const types = new Set(plain.map((value) => typeof value))
  if (types.size !== 1 || plain.length !== values.length) return { kind: 'object' }
  const kind = types.has('number') ? 'number' : types.has('boolean') ? 'boolean' : 'string'
  return { kind, values: plain }
}

function fromUnion(options: readonly unknown[]): KindPart {
  const shapes = options.map((option) => shapeOf(option as v.GenericSchema))
  const [first] = shapes
  if (!first || shapes.some((shape) => shape.kind !== first.kind)) return { kind: 'object' }
  if (first.kind === 'object' || first.kind === 'array') return { kind: first.kind }
  const values = shapes.flatMap((shape) => shape.values ?? [])
  const closed = shapes.every((shape) => shape.values)
  return { kind: first.kind, ...(closed ? { values } : {}) }
}

function entriesOf(schema: v.GenericSchema, at?: Pick<Field, 'path' | 'opaque' | 'hidden'>) {
  const { entries } = loose(schema)
  if (!entries) return {}
  const fields = Object.entries(entries).map(([name, entry]): Field => {
    const flags = {
      path: at ? `${at.path}.${name}` : name,
      hidden: at?.hidden ?? false,
      opaque: at?.opaque ?? false,
    }
    return { name, ...flags, searchable: false, sortable: false, ...shapeOf(entry, flags) }
  })
  return { fields }
}

/** Returns why a store cannot hold a value, or null if every store can. */
export function unstorable(value: unknown, at: string): string | null {
  if (typeof value === 'string') {
    return isStorable(value) ? null : `${at}: U+0000 or half of a surrogate pair`
  }
  if (typeof value === 'number') {
    const whole = Number.isInteger(value) && !Number.isSafeInteger(value)
    return Number.isFinite(value) && !whole ? null : `${at}: not a number that survives storing`
  }
  if (Array.isArray(value)) return firstFault(value.entries(), at)
  if (value !== null && typeof value === 'object') return firstFault(Object.entries(value), at)
  return typeof value === 'bigint' || typeof value === 'function' ? `${at}: not a JSON value` : null
}

function firstFault(entries: Iterable<[string | number, unknown]>, at: string): string | null {
  for (const [key, value] of entries) {
    const fault = (typeof key === 'string' ? unstorable(key, at) : null) ?? unstorable(value, `${at}/${key}`)
    if (fault) return fault
  }
  return null
}
