import type { Connection, mongo } from 'mongoose'
import type { AnyEntity } from '../../../contracts/entity'
import type { Log } from '../../../contracts/plugin'
import { indexesOf } from '../indexes'
import { type Collection, type Documents, typedCollection, UnavailableError } from '../port'
import { createCollection } from './collection'
import { guarded } from './errors'
import { createScans, scanSlots } from './limited'
import { type Link, type LinkTimes, openLink } from './link'
import { indexSpec, isOwnUnique, modelOf } from './model'
import { missingNeeds } from './probe'

export interface MongoOptions {
  readonly uri: string
  readonly now: () => Date
  readonly log: Log
  readonly times?: Partial<LinkTimes>
  /** Whether lists may be read from a secondary, which can lag. */
  readonly secondaryLists?: boolean
  /** Whether to try first that the server has everything that Renown needs. */
  readonly isProbed?: boolean
}

/** How long a ping may take. */
const pingMs = 2_000

/** Opens MongoDB through mongoose. Throws UnavailableError if no server answers, and names what a probed server lacks. */
export async function openMongo({
  uri,
  now,
  log,
  times,
  secondaryLists = false,
  isProbed = false,
}: MongoOptions): Promise<Documents> {
  const link = await openLink({ uri, log, times })
  const collections = new WeakMap<AnyEntity, Collection>()
  const sharing = { link, secondary: secondaryLists, scans: createScans() }
  const database = () => {
    const { db } = link.connection()
    if (!db) throw new UnavailableError('MongoDB is not connected')
    return db
  }
  if (isProbed) await probe(database(), link, now())
  return {
    kind: 'mongodb',
    collection: typedCollection((entity) => {
      const known = collections.get(entity)
      if (known) return known
      const made = createCollection(entity, () => modelOf(link.connection(), entity), sharing)
      collections.set(entity, made)
      return made
    }),
    ensure: async (entities) => {
      for (const entity of entities) await guarded(entity, () => ensureIndexes(database(), entity, log))
    },
    ping: async () => {
      await guarded(null, () =>
        link.run((maxTimeMS) => database().command({ ping: 1, maxTimeMS }), { maxMs: pingMs }),
      )
    },
    load: () => [link.load(), { pool: 'scans', ...sharing.scans.load(), slots: scanSlots }],
    close: () => link.close(),
  }
}

/** Throws, and closes the link, if the server lacks something or goes away. */
async function probe(db: mongo.Db, link: Link, now: Date) {
  try {
    const missing = await guarded(null, () => missingNeeds(db, now))
    if (missing.length > 0) throw new Error(`the server does not have ${missing.join(', nor ')}`)
  } catch (error) {
    await link.close()
    throw error
  }
}

async function ensureIndexes(db: NonNullable<Connection['db']>, entity: AnyEntity, log: Log) {
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
