import type { AnyEntity, IndexDeclaration } from '../../contracts/entity'
import type { Scalar, SortKey } from '../../contracts/where'
import { fieldAt } from '../../kit/fields'
import { sortKey } from '../../query/sort'

/** An index as a store builds it. */
export interface StoreIndex {
  readonly name: string
  readonly keys: readonly SortKey[]
  readonly unique: boolean
  /** Condition of a partial index: these fields have these values. */
  readonly where: Readonly<Record<string, Scalar>>
  readonly ttlSeconds?: number
}

/**
 * Returns the indexes of an entity: the default ones, those of its scope, and the declared ones. Most start
 * with the workspace. Exceptions are TTL indexes, indexes unique across tenants, and indexes that name the
 * workspace elsewhere. An index with a `-field` keeps its own order. The others end with the default sort.
 * Fields that lists leave out by default are last, so that those rows are skipped inside the index.
 */
export function indexesOf(entity: AnyEntity): readonly StoreIndex[] {
  const known = memo.get(entity)
  if (known) return known
  const made = deriveIndexes(entity)
  memo.set(entity, made)
  return made
}

const memo = new WeakMap<AnyEntity, readonly StoreIndex[]>()

function deriveIndexes(entity: AnyEntity): readonly StoreIndex[] {
  const found = new Map<string, StoreIndex>()
  const declared = (entity.indexes ?? []) as readonly IndexDeclaration[]
  const base: IndexDeclaration[] = [{ on: [] }]
  if (!['id', 'workspace_id'].includes(entity.scope.field)) base.push({ on: [entity.scope.field] })
  for (const declaration of [...base, ...declared]) {
    const index = storeIndex(entity, declaration)
    if (!found.has(index.name)) found.set(index.name, index)
  }
  return [...found.values()]
}

/** Returns visible fields that start an index inside a workspace. They narrow a filter that is too broad. */
export function narrowingFields(entity: AnyEntity): readonly string[] {
  const heads = indexesOf(entity).flatMap(
    ({ keys }) => keys.find(({ field }) => field !== 'workspace_id') ?? [],
  )
  const visible = heads.filter(({ field }) => fieldAt(entity, field)?.hidden === false)
  return [...new Set(visible.map(({ field }) => field))]
}

/** Returns the default sort of a list, followed by `id`. */
export const totalSort = (entity: AnyEntity, sort?: readonly SortKey[]): readonly SortKey[] =>
  withId(sort ?? [sortKey(entity.defaultSort ?? '-created_date')])

/** Adds `id` to a sort, in the direction of its last key, so that no two rows are equal. */
export function withId(sort: readonly SortKey[]): readonly SortKey[] {
  const end = sort.findIndex(({ field }) => field === 'id')
  if (end >= 0) return sort.slice(0, end + 1)
  return [...sort, { field: 'id', direction: sort.at(-1)?.direction ?? 'asc' }]
}

function storeIndex(entity: AnyEntity, declaration: IndexDeclaration): StoreIndex {
  const on = declaration.on.map(sortKey)
  const acrossTenants = declaration.unsafeUniqueAcrossTenants ?? false
  const unique = acrossTenants || (declaration.unique ?? false)
  const plain = unique || declaration.ttlSeconds !== undefined
  const isTenants = !['agency', 'self'].includes(entity.scope.by)
  const isClamped =
    !acrossTenants &&
    declaration.ttlSeconds === undefined &&
    isTenants &&
    !(unique && on.some(({ field }) => field === 'workspace_id'))
  const clamp: SortKey[] = isClamped ? [{ field: 'workspace_id', direction: 'asc' }] : []
  const ordered = declaration.on.some((name) => name.startsWith('-'))
  const tail = plain ? [] : [...(ordered ? withId(on) : totalSort(entity)), ...leftOut(entity)]
  const keys = tenantFirst(unique && isTenants, distinct([...clamp, ...on, ...tail]))
  const where = (declaration.where ?? {}) as Record<string, Scalar>
  const ttl = declaration.ttlSeconds === undefined ? {} : { ttlSeconds: declaration.ttlSeconds }
  const index = { keys, unique, where, ...ttl }
  return { name: indexName(index), ...index }
}

/** Returns the name of an index, made from its definition. Indexes with such names belong to Renown. */
export function indexName({ keys, where, unique, ttlSeconds }: Omit<StoreIndex, 'name'>): string {
  const parts = [
    ...keys.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)),
    ...Object.entries(where).map(([field, value]) => `${field}=${value}`),
    ...(unique ? ['unique'] : []),
    ...(ttlSeconds === undefined ? [] : [`ttl=${ttlSeconds}`]),
  ]
  return shortName(parts.join('.'))
}

/** A unique index of rows of workspaces begins with the workspace, so that it can be the shard key of their collection. */
const tenantFirst = (isWanted: boolean, keys: readonly SortKey[]): readonly SortKey[] =>
  isWanted
    ? [...keys].sort((a, b) => Number(b.field === 'workspace_id') - Number(a.field === 'workspace_id'))
    : keys

const leftOut = (entity: AnyEntity): SortKey[] =>
  [...Object.keys(entity.except ?? {}), ...(entity.exceptSet ?? [])].map((field) => ({
    field,
    direction: 'asc',
  }))

const distinct = (keys: readonly SortKey[]) =>
  keys.filter((key, place) => keys.findIndex(({ field }) => field === key.field) === place)

/**
 * Shortens a name with a digest, because MongoDB limits index names to 127 bytes, including the collection's
 * name.
 */
const shortName = (name: string) =>
  name.length <= 80 ? name : `${name.slice(0, 66)}~${Bun.hash(name).toString(36)}`
