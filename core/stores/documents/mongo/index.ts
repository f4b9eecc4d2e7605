import { Mongoose, type mongo } from 'mongoose'
import type { AnyEntity } from '../../../contracts/entity'
import type { Log } from '../../../contracts/plugin'
import { indexesOf } from '../indexes'
import { type Collection, type Documents, typedCollection, UnavailableError } from '../port'
import { createCollection } from './collection'
import { guarded } from './errors'
import { createScans } from './limited'
import { indexSpec, isOwnUnique, modelOf } from './model'

export interface MongoOptions {
  readonly uri: string
  readonly now: () => Date
  readonly log: Log
  /** Whether lists may be read from a secondary, which can lag. */
  readonly secondaryLists?: boolean
}

/** A server that is not found within this time counts as unreachable. */
const selectionMs = 2_000

/** Opens MongoDB through mongoose. Throws UnavailableError if no server answers. */
export async function openMongo({ uri, log, secondaryLists = false }: MongoOptions): Promise<Documents> {
  // A separate instance, so that other code in the process that uses mongoose has its own settings.
  const mongoose = new Mongoose()
  mongoose.set('strictQuery', 'throw')
  mongoose.set('sanitizeFilter', true)
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: selectionMs,
    connectTimeoutMS: selectionMs,
    waitQueueTimeoutMS: selectionMs,
    socketTimeoutMS: 30_000,
    heartbeatFrequencyMS: 5_000,
    maxPoolSize: 50,
    writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
    ignoreUndefined: true,
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
  })
  connection.on('error', (error) => log.warn('The MongoDB connection failed', { reason: String(error) }))
  connection.on('disconnected', () => log.warn('MongoDB is not connected'))
  try {
    await guarded(null, () => connection.asPromise())
  } catch (error) {
    await connection.close().catch(() => undefined)
    throw error
  }
  const collections = new WeakMap<AnyEntity, Collection>()
  const sharing = { secondary: secondaryLists, scans: createScans() }
  const database = () => {
    if (!connection.db) throw new UnavailableError('MongoDB is not connected')
    return connection.db
  }
  return {
    kind: 'mongodb',
    collection: typedCollection((entity) => {
      const known = collections.get(entity)
      if (known) return known
      const made = createCollection(entity, modelOf(connection, entity), sharing)
      collections.set(entity, made)
      return made
    }),
    ensure: async (entities) => {
      for (const entity of entities) await guarded(entity, () => ensureIndexes(database(), entity, log))
    },
    ping: async () => {
      await guarded(null, () => database().command({ ping: 1 }, { timeoutMS: selectionMs }))
    },
    close: () => {
      // The end of this connection is intended, so it is not reported.
      connection.removeAllListeners('disconnected')
      return connection.close()
    },
  }
}

async function ensureIndexes(
  db: NonNullable<ReturnType<Mongoose['createConnection']>['db']>,
  entity: AnyEntity,
  log: Log,
) {
  const collection = db.collection(entity.name)
  const wanted = indexesOf(entity).map((index) => indexSpec(entity, index))
  // One command for all of a collection: a first start makes some hundred indexes.
  if (wanted.length > 0)
    await collection.createIndexes(
      wanted.map(({ key, options }) => ({ key, ...options }) as mongo.IndexDescription),
    )
  const names = new Set(['_id_', ...wanted.map(({ options }) => options.name)])
  for (const stored of await collection.indexes()) {
    const { name } = stored
    if (!name || names.has(name)) continue
    // An index that is no longer declared as unique would still reject rows.
    if (isOwnUnique(stored)) await dropIndex(collection, name)
    else log.warn('An index is not declared; drop it if it is not yours', { entity: entity.name, name })
  }
}

/** Another process that starts at the same time may have dropped it. */
async function dropIndex(collection: { dropIndex(name: string): Promise<unknown> }, name: string) {
  const isGone = (error: unknown) => (error as { code?: unknown }).code === 27
  await collection.dropIndex(name).catch((error) => (isGone(error) ? undefined : Promise.reject(error)))
}
