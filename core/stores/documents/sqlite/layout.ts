import type { AnyEntity } from '../../../contracts/entity'
import type { Scalar } from '../../../contracts/where'
import { type Field, fieldAt, fieldsOf, hiddenFields } from '../../../kit/fields'
import { oncePer } from '../../../kit/once-per'
import type { SqlField, SqlValue } from '../../../query/to-sqlite'
import { indexesOf } from '../indexes'
import type { Document } from '../port'

type Json = Readonly<Record<string, unknown>>

/**
 * How a table stores an entity's documents: short values in their own columns, the visible part as the JSON text for
 * callers, and the hidden part.
 */
export interface Layout {
  readonly entity: AnyEntity
  /** The quoted table name. */
  readonly table: string
  /** Dotted paths with a column, `id` first. */
  readonly columns: readonly string[]
  /** One SQL condition per column: its value equals the one in the document. */
  readonly conditions: readonly { readonly path: string; readonly sql: string }[]
  readonly hidden: readonly string[]
  /** A hash of everything that requires rewriting the table when it changes. */
  readonly fingerprint: string
  locate(path: string): SqlField
  /** The columns' values, the visible text and the rest. */
  split(document: Json): {
    readonly columns: readonly SqlValue[]
    readonly doc: string
    readonly rest: string | null
  }
  join(doc: string, rest: string | null): Document
  /** Whether a path contains a boolean. */
  isFlag(path: string): boolean
  /** Returns a column's value as in the document. */
  restore(path: string, value: unknown): Scalar
}

/** Returns the layout of an entity's table. */
export const layoutOf: (entity: AnyEntity) => Layout = oncePer(deriveLayout)

/** Derives the layout from the declaration. */
function deriveLayout(entity: AnyEntity): Layout {
  const fields = fieldsOf(entity)
  const hidden = hiddenFields(entity)
  const visible = new Set(fields.filter((field) => !field.hidden).map((field) => field.name))
  const columns = columnPaths(entity)
  const stored = new Set(columns)
  const readers = columns.map((path) => reader(path))
  const heldAt = (path: string) => {
    const [name = path] = path.split('.')
    return `json_extract(${visible.has(name) ? 'doc' : 'rest'}, '${jsonPath(path)}')`
  }
  return {
    entity,
    table: quote(entity.name),
    columns,
    conditions: columns.map((path) => ({ path, sql: sameValue(entity, path, heldAt(path)) })),
    hidden,
    fingerprint: JSON.stringify([columns, [...visible], 'columns equal the document, 2']),
    locate: (path) => {
      if (stored.has(path)) return { value: quote(path) }
      const field = fieldAt(entity, path)
      if (!field) throw new Error(`${entity.name} has no field ${path}`)
      const place = `${field.hidden ? 'rest' : 'doc'}, '${jsonPath(path)}'`
      return { value: `json_extract(${place})`, ...(field.kind === 'array' ? { list: place } : {}) }
    },
    split: (given) => {
      const document = isStorable(readers, given) ? given : (wellFormed(given) as Json)
      const open: Record<string, unknown> = {}
      let closed: Record<string, unknown> | undefined
      for (const name in document) {
        if (visible.has(name)) open[name] = document[name]
        else {
          closed ??= {}
          closed[name] = document[name]
        }
      }
      return {
        columns: readers.map((read) => sqlValue(read(document))),
        doc: JSON.stringify(open),
        rest: closed ? JSON.stringify(closed) : null,
      }
    },
    join: (doc, rest) => (rest === null ? JSON.parse(doc) : { ...JSON.parse(doc), ...JSON.parse(rest) }),
    isFlag: (path) => fieldAt(entity, path)?.kind === 'boolean',
    restore: (path, value) => {
      if (value === null || value === undefined) return null
      return fieldAt(entity, path)?.kind === 'boolean' ? value === 1 : (value as Scalar)
    },
  }
}

/** Returns an SQL identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Returns the SQL condition that a column repeats the value of its document. SQLite does not parse every
 * decimal like JavaScript: numbers beyond 2^53 and some very small or large ones differ in the last bits. So
 * numbers may differ by one part in 10^12.
 */
function sameValue(entity: AnyEntity, path: string, held: string): string {
  const column = quote(path)
  const kind = fieldAt(entity, path)?.kind
  if (kind !== 'number' && kind !== 'integer') return `${column} IS ${held}`
  const areNumbers = `typeof(${column}) IN ('integer', 'real') AND typeof(${held}) IN ('integer', 'real')`
  const difference = `abs(CAST(${column} AS REAL) - CAST(${held} AS REAL))`
  return `${column} IS ${held} OR (${areNumbers} AND ${difference} <= abs(CAST(${column} AS REAL)) * 1e-12)`
}

const jsonPath = (path: string) =>
  `$${path
    .split('.')
    .map((name) => `."${name.replaceAll("'", "''")}"`)
    .join('')}`

/**
 * Returns the paths with columns: numbers, instants, days, booleans, picklists, and fields of indexes, sorts or
 * defaults. Free text stays in the JSON.
 */
function columnPaths(entity: AnyEntity): string[] {
  const named = new Set<string>([
    'workspace_id',
    entity.scope.field,
    ...entity.sortable,
    ...Object.keys(entity.except ?? {}),
    ...(entity.exceptSet ?? []),
    ...(entity.counts ? [...entity.counts.by, ...shortSets(entity)] : []),
    ...indexesOf(entity).flatMap(({ keys, where }) => [
      ...keys.map(({ field }) => field),
      ...Object.keys(where),
    ]),
  ])
  const paths = ['id']
  const visit = (field: Field) => {
    if (field.kind === 'object') return field.fields?.forEach(visit)
    if (field.kind === 'array' || field.path === 'id') return
    const short = field.kind !== 'string' || field.values !== undefined
    if (named.has(field.path) || (short && !field.opaque)) paths.push(field.path)
  }
  fieldsOf(entity).forEach(visit)
  return paths
}

/** Counts look into the text for a field that is searched, because its column would repeat long texts. */
const shortSets = ({ counts, searchable = [] }: AnyEntity): readonly string[] =>
  (counts?.bySet ?? []).filter((name: string) => !searchable.includes(name))

/**
 * Returns the SQL of a field for counts and sums, of the row `OLD` or `NEW` of a trigger, or of a query. Null for a document that
 * is not JSON, so that an owner who edits the file can still change it.
 */
export function countedValue({ columns, locate }: Layout, row: 'OLD' | 'NEW' | null, path: string): string {
  const prefix = row === null ? '' : `${row}.`
  if (columns.includes(path)) return `${prefix}${quote(path)}`
  const value = locate(path).value.replace('(', `(${prefix}`)
  return `CASE WHEN json_valid(${value.slice('json_extract('.length, value.indexOf(','))}) THEN ${value} END`
}

function reader(path: string): (document: Json) => unknown {
  const [head = path, ...rest] = path.split('.')
  if (rest.length === 0) return (document) => document[head]
  return (document) => {
    let value = document[head]
    for (const name of rest) value = (value as Json | null | undefined)?.[name]
    return value
  }
}

/**
 * Whether SQLite returns the texts of the columns unchanged. It stores UTF-8, which has no lone surrogates.
 */
const isStorable = (readers: readonly ((document: Json) => unknown)[], document: Json) =>
  readers.every((read) => {
    const value = read(document)
    return typeof value !== 'string' || value.isWellFormed()
  })

/** Returns the value with U+FFFD instead of each lone surrogate. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, wellFormed(part)]))
}

function sqlValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue)
}
