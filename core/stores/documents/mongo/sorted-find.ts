import type { mongo } from 'mongoose'
import type { AnyEntity } from '../../../contracts/entity'
import type { SortKey, Where } from '../../../contracts/where'
import { mongoPath, toMongo } from '../../../query/to-mongo'
import type { ReadLimits } from './limited'

type Stored = Record<string, unknown>

/** A find with its total order. */
export interface SortedFind {
  readonly where: Where
  readonly sort: readonly SortKey[]
  readonly skip?: number | undefined
  readonly limit?: number | undefined
  readonly projection?: Readonly<Record<string, 0 | 1>> | undefined
}

interface Options extends ReadLimits {
  readonly readPreference?: 'secondaryPreferred'
}

/** Returns a sort as MongoDB takes it. Null is before all values there. */
export const sortSpec = (sort: readonly SortKey[]): Record<string, 1 | -1> =>
  Object.fromEntries(sort.map(({ field, direction }) => [mongoPath(field), direction === 'desc' ? -1 : 1]))

const isLate = ({ direction, nulls }: SortKey) => direction === 'asc' && nulls === 'last'

/** Whether indexes serve the sort, if they serve it with nulls first. */
export const isIndexSort = (sort: readonly SortKey[]): boolean => !sort.slice(1).some(isLate)

/**
 * Finds rows in order. If the first key has nulls last, it reads the rows with a value and then those without, so that an
 * index serves both. For other keys, the server computes what has no value and sorts by it.
 */
export async function sortedFind(
  collection: mongo.Collection<Stored>,
  entity: AnyEntity,
  query: SortedFind,
  options: Options,
): Promise<Stored[]> {
  const { where, sort, skip = 0, limit } = query
  const [first, ...others] = sort
  if (!isIndexSort(sort)) return computedFind(collection, entity, query, options)
  if (!first || !isLate(first)) return plainFind(collection, entity, query, options)
  const isNull: Where = { op: 'eq', field: first.field, value: null }
  const withValue: Where = { op: 'and', of: [where, { op: 'ne', field: first.field, value: null }] }
  const found = await plainFind(collection, entity, { ...query, where: withValue }, options)
  if (limit !== undefined && found.length >= limit) return found
  const passed =
    found.length > 0 || skip === 0
      ? 0
      : skip - (await collection.countDocuments(toMongo(withValue, entity), { ...options, limit: skip }))
  const rest = {
    ...query,
    where: { op: 'and', of: [where, isNull] } as const,
    sort: others,
    skip: passed,
    limit: limit === undefined ? undefined : limit - found.length,
  }
  return [...found, ...(await plainFind(collection, entity, rest, options))]
}

const plainFind = (
  collection: mongo.Collection<Stored>,
  entity: AnyEntity,
  { where, sort, skip, limit, projection }: SortedFind,
  options: Options,
) =>
  collection
    .find(toMongo(where, entity), {
      ...options,
      sort: sortSpec(sort),
      ...(projection ? { projection } : {}),
      ...(skip ? { skip } : {}),
      ...(limit === undefined ? {} : { limit }),
    })
    .toArray()

function computedFind(
  collection: mongo.Collection<Stored>,
  entity: AnyEntity,
  { where, sort, skip, limit, projection }: SortedFind,
  options: Options,
): Promise<Stored[]> {
  const names = new Map(
    sort.flatMap((key, place) => (isLate(key) ? [[key.field, `lacks ${place}`] as const] : [])),
  )
  const lacks = [...names].map(([field, name]) => [
    name,
    { $cond: [{ $eq: [{ $ifNull: [`$${mongoPath(field)}`, null] }, null] }, 1, 0] },
  ])
  const order = sort.flatMap((key) => {
    const name = names.get(key.field)
    return [...(name === undefined ? [] : [[name, 1] as const]), ...Object.entries(sortSpec([key]))]
  })
  const stages: Record<string, unknown>[] = [
    { $match: toMongo(where, entity) },
    { $set: Object.fromEntries(lacks) },
    { $sort: Object.fromEntries(order) },
    ...(skip ? [{ $skip: skip }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    { $unset: [...names.values()] },
    ...(projection && Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
  ]
  return collection.aggregate<Stored>(stages, options).toArray()
}
