import type { AnyEntity } from '../../core/contracts/entity'
import type { Scalar, SortKey, Where } from '../../core/contracts/where'
import {
  type Collection,
  ConflictError,
  type Document,
  type Documents,
  type Patch,
} from '../../core/stores/documents/port'

type Json = Record<string, unknown>

/** The documents port on plain arrays, as far as tests of what stands above it need: no groups, no unique indexes but ids. */
export function memoryDocuments(now: () => Date): Documents {
  const collections = new Map<string, Collection>()
  return {
    kind: 'sqlite',
    collection(entity: AnyEntity) {
      const known = collections.get(entity.name) ?? memoryCollection(entity, now)
      collections.set(entity.name, known)
      return known
    },
    ensure: async () => {},
    ping: async () => {},
    close: async () => {},
  }
}

function memoryCollection(entity: AnyEntity, now: () => Date): Collection {
  const rows = new Map<string, Json>()
  const matching = (where: Where) => [...rows.values()].filter((row) => matches(row, where))
  const find: Collection['find'] = async ({ where, sort = [], skip = 0, limit = Number.MAX_SAFE_INTEGER }) =>
    structuredClone(ordered(matching(where), sort).slice(skip, skip + limit)) as Document[]
  const insert: Collection['insert'] = async (document) => {
    if (rows.has(document.id)) throw new ConflictError(entity.name, 'id', ['id'])
    rows.set(document.id, structuredClone(document) as Json)
  }
  return {
    find,
    insert,
    get: async (id) => structuredClone(rows.get(id) ?? null) as Document | null,
    count: async (where, limit) => Math.min(matching(where).length, limit ?? Number.MAX_SAFE_INTEGER),
    updateOne: async (where, patch) => {
      const [row] = matching(where)
      if (!row) return null
      change(row, patch, now())
      return structuredClone(row) as unknown as Document
    },
    updateMany: async (where, patch) => {
      const found = matching(where)
      for (const row of found) change(row, patch, now())
      return found.length
    },
    remove: async (where) => {
      const found = matching(where)
      for (const row of found) rows.delete(String(row.id))
      return found.length
    },
    insertMany: async (documents) => {
      for (const document of documents) await insert(document)
      return { inserted: documents.length, failures: [] }
    },
    findJson: () => Promise.reject(new Error('not in memory')),
    group: () => Promise.reject(new Error('not in memory')),
    examined: async () => 0,
  }
}

function change(row: Json, patch: Patch, now: Date) {
  Object.assign(row, structuredClone(patch.set ?? {}))
  for (const name of patch.unset ?? []) delete row[name]
  for (const [name, by] of Object.entries(patch.inc ?? {})) row[name] = Number(row[name] ?? 0) + by
  for (const [name, after] of Object.entries(patch.setNow ?? {})) {
    row[name] = new Date(now.getTime() + after).toISOString()
  }
}

function ordered(rows: Json[], sort: readonly SortKey[]): Json[] {
  const keys = [...sort, { field: 'id', direction: 'asc' as const }]
  return rows.toSorted((a, b) => {
    for (const { field, direction } of keys) {
      const order = compare(a[field] as Scalar, b[field] as Scalar)
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  })
}

function compare(a: Scalar | undefined, b: Scalar | undefined): number {
  const [left, right] = [a ?? null, b ?? null]
  if (left === right) return 0
  if (left === null) return -1
  if (right === null) return 1
  return left < right ? -1 : 1
}

function matches(row: Json, where: Where): boolean {
  switch (where.op) {
    case 'and':
      return where.of.every((part) => matches(row, part))
    case 'or':
      return where.of.some((part) => matches(row, part))
    case 'nor':
      return !where.of.some((part) => matches(row, part))
    case 'not':
      return !matches(row, where.of)
    case 'in':
      return where.values.includes((row[where.field] ?? null) as Scalar)
    case 'eq':
      return compare(row[where.field] as Scalar, where.value) === 0
    case 'ne':
      return compare(row[where.field] as Scalar, where.value) !== 0
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const value = row[where.field] as Scalar | undefined
      if (value === undefined || value === null) return false
      const order = compare(value, where.value)
      return where.op.startsWith('gt')
        ? order > 0 || (where.op === 'gte' && order === 0)
        : order < 0 || (where.op === 'lte' && order === 0)
    }
    default:
      throw new Error(`${where.op} is not in memory`)
  }
}
