import { mongo } from 'mongoose'
import type { AnyEntity } from '../../../contracts/entity'
import { hiddenFields, visibleFields } from '../../../kit/fields'
import { mongoPath, toMongo } from '../../../query/to-mongo'
import type { FairQueue } from '../../../work/fair-queue'
import { totalSort, withId } from '../indexes'
import { boundedWhere } from '../keyset'
import { lastOf, pickJson } from '../pick'
import { planOf } from '../plan'
import { type Collection, ConflictError, type Document, type FindQuery, type JsonPage } from '../port'
import { codecOf } from './codec'
import { conflictOf, guarded, translated } from './errors'
import { groupPipeline, groupRow } from './group'
import { quickRead, type ReadLimits, scan } from './limited'
import type { Link, RunLimits } from './link'
import type { AnyModel } from './model'
import { isIndexSort, sortedFind, sortSpec } from './sorted-find'
import { updateOf } from './update'

type Stored = Record<string, unknown>

/**
 * Creates the collection of one entity in MongoDB. Filters come only from the compiler, so reads use the
 * driver's collection directly and skip mongoose's checks.
 */
export function createCollection(entity: AnyEntity, model: () => AnyModel, sharing: Sharing): Collection {
  return { ...createReads(entity, model, sharing), ...createWrites(entity, model, sharing) }
}

/** The objects that the collections of one connection share. */
export interface Sharing {
  readonly link: Link
  /** Whether lists may be read from a secondary. */
  readonly secondary: boolean
  readonly scans: FairQueue
}

type Reads = Pick<Collection, 'get' | 'find' | 'findJson' | 'prepareList' | 'count' | 'group' | 'examined'>
type Writes = Omit<Collection, keyof Reads>

function createReads(entity: AnyEntity, model: () => AnyModel, { link, secondary, scans }: Sharing): Reads {
  const codec = codecOf(entity)
  const visibility = {
    hidden: hiddenFields(entity),
    visible: new Set(visibleFields(entity).map(({ name }) => mongoPath(name))),
  }
  const projection = Object.fromEntries(visibility.hidden.map((name) => [name, 0 as const]))

  const stored = (query: FindQuery, projection?: Record<string, 0 | 1>): Promise<Stored[]> => {
    const sort = sortOf(entity, query)
    const where = boundedWhere(query, sort)
    const { limit, skip } = query
    const preference = secondary ? { readPreference: 'secondaryPreferred' as const } : {}
    const read = (limits: ReadLimits) =>
      sortedFind(
        model().collection,
        entity,
        { where, sort, skip, limit, projection },
        { ...limits, ...preference },
      )
    const isQuick = isIndexSort(sort) && planOf(entity, query.where, sort).covered
    return isQuick ? quickRead(link, entity, read) : scan(link, scans, entity, read)
  }
  const find = async (query: FindQuery, fields?: readonly string[]) => {
    if (query.limit === 0) return []
    const only = fields && Object.fromEntries(['id', ...fields].map((name) => [mongoPath(name), 1 as const]))
    return (await stored(query, only)).map(codec.decode)
  }
  return {
    get: (id) =>
      quickRead(link, entity, async (limits) => {
        const found = await model().collection.findOne<Stored>({ _id: id as never }, limits)
        return found ? codec.decode(found) : null
      }),
    find: (query) => find(query, query.fields),
    prepareList: (query) => query,
    findJson: async ({ omit, fields, ...query }): Promise<JsonPage> => {
      const sort = sortOf(entity, query)
      const further = { ...query, ...(query.limit === undefined ? {} : { limit: query.limit + 1 }) }
      const { hidden, visible } = visibility
      const asStored = omit.length === hidden.length && omit.every((name) => hidden.includes(name))
      const sorted = sort.every(({ field }) => visible.has(mongoPath(field.split('.')[0] ?? field)))
      if (fields || !asStored || !sorted)
        return pickJson(await find(further), query.limit, sort, omit, fields)
      const found = await stored(further, projection)
      const page = query.limit === undefined ? found : found.slice(0, query.limit)
      const last = page.at(-1)
      return {
        body: `[${page.map((row) => asJson(row, visible)).join(',')}]`,
        count: page.length,
        more: found.length > page.length,
        last: last ? lastOf([codec.decode(last)], sort) : null,
      }
    },
    count: (where, limit) =>
      scan(link, scans, entity, (limits) =>
        model().collection.countDocuments(toMongo(where, entity), {
          ...limits,
          ...(limit === undefined ? {} : { limit }),
        }),
      ),
    group: (query) =>
      scan(link, scans, entity, async (limits) => {
        const rows = await model()
          .collection.aggregate<Stored>(groupPipeline(entity, query), limits)
          .toArray()
        return rows.map((row) => groupRow(query, row))
      }),
    examined: async (query, limit) => {
      const sort = sortOf(entity, query)
      const plan = planOf(entity, query.where, sort)
      if (plan.covered && isIndexSort(sort)) return 0
      return scan(link, scans, entity, (limits) =>
        model().collection.countDocuments(toMongo(plan.narrowed, entity), { ...limits, limit }),
      )
    },
  }
}

function createWrites(entity: AnyEntity, model: () => AnyModel, { link }: Sharing): Writes {
  const codec = codecOf(entity)
  const write = <T>(run: (maxTimeMS: number) => PromiseLike<T>, limits?: RunLimits): Promise<T> =>
    guarded(entity, () => link.run(run, limits))
  const updateOne: Collection['updateOne'] = async (where, patch, options = {}) => {
    const attempt = () =>
      write(async (maxTimeMS) => {
        const found = await model()
          .findOneAndUpdate(toMongo(where, entity), updateOf(patch, codec), {
            maxTimeMS,
            sort: sortSpec(withId(options.sort ?? [])),
            upsert: options.upsert ?? false,
            returnDocument: options.returning ?? 'after',
            setDefaultsOnInsert: false,
            updatePipeline: true,
          })
          .lean<Stored>()
        return found ? codec.decode(found) : null
      })
    if (!options.upsert) return attempt()
    // If two upserts both found nothing, the second conflicts with the row of the first and tries again.
    return attempt().catch((error) => {
      if (error instanceof ConflictError) return attempt()
      throw error
    })
  }
  return {
    insert: (document) =>
      write(async (maxTimeMS) => {
        await model().collection.insertOne(codec.encode(document), { maxTimeMS })
      }),
    insertMany: (documents) =>
      write((maxTimeMS) => insertAll(entity, model(), documents.map(codec.encode), maxTimeMS), {
        maxMs: bulkMs,
        isWhole: false,
      }),
    updateOne,
    updateMany: (where, patch) =>
      write(
        async (maxTimeMS) => {
          const options = { updatePipeline: true, maxTimeMS }
          const { matchedCount } = await model().updateMany(
            toMongo(where, entity),
            updateOf(patch, codec),
            options,
          )
          return matchedCount
        },
        { maxMs: bulkMs },
      ),
    remove: (where) =>
      write(
        async (maxTimeMS) => (await model().deleteMany(toMongo(where, entity), { maxTimeMS })).deletedCount,
        { maxMs: bulkMs },
      ),
  }
}

/** Maximum duration of a write of many rows, in milliseconds. */
const bulkMs = 120_000

/** Writes all rows that are not in conflict. If the write concern fails, all rows may be lost, so that no conflict is reported. */
async function insertAll(entity: AnyEntity, model: AnyModel, documents: Stored[], maxTimeMS: number) {
  if (documents.length === 0) return { inserted: 0, failures: [] }
  try {
    await model.collection.insertMany(documents, { ordered: false, maxTimeMS })
    return { inserted: documents.length, failures: [] }
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error
    const faults = [error.writeErrors].flat()
    const other = error.result.getWriteConcernError() ?? faults.find(({ code }) => code !== 11000)
    // The code of the whole is that of its first error, which may be a duplicate.
    if (other) throw Object.assign(new Error(other.errmsg, { cause: error }), { code: other.code })
    if (faults.length === 0) throw error
    const failures: { index: number; error: ConflictError }[] = []
    for (const fault of faults) {
      const conflict =
        conflictOf(entity, fault) ?? (await conflictAlone(entity, model, documents[fault.index], maxTimeMS))
      if (conflict) failures.push({ index: fault.index, error: conflict })
    }
    return { inserted: documents.length - failures.length, failures }
  }
}

/** Writes one row again, because only the answer to a single row names its keys. Null if it could be written now. */
async function conflictAlone(entity: AnyEntity, model: AnyModel, row: Stored | undefined, maxTimeMS: number) {
  if (!row) return null
  try {
    await model.collection.insertOne(row, { maxTimeMS })
    return null
  } catch (error) {
    const conflict = translated(entity, error)
    if (conflict instanceof ConflictError) return conflict
    throw error
  }
}

const sortOf = (entity: AnyEntity, query: FindQuery) => (query.sort ? withId(query.sort) : totalSort(entity))

const idFirst = '{"_id":'

/**
 * Returns a stored row as JSON. Dates are printed as instants, and `_id`, which is first, becomes `id`.
 * Fields that are no longer declared, or were hidden in the meantime, are left out.
 */
function asJson(stored: Stored, visible: ReadonlySet<string>): string {
  for (const name in stored) if (!visible.has(name)) delete stored[name]
  const text = JSON.stringify(stored)
  if (text.startsWith(idFirst)) return `{"id":${text.slice(idFirst.length)}`
  const { _id, ...rest } = stored
  return JSON.stringify({ id: _id, ...rest } as unknown as Document)
}
