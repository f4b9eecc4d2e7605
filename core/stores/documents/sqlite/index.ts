import type { AnyEntity } from '../../../contracts/entity'
import type { Log } from '../../../contracts/plugin'
import { createCachedAnswers } from '../../cached-answers'
import { indexesOf } from '../indexes'
import { type Collection, type Documents, typedCollection, UnavailableError } from '../port'
import { createCollection } from './collection'
import { openWriter } from './connection'
import { ensureTables } from './ddl'
import { layoutOf } from './layout'
import { createLocalReader, createReader } from './reader'
import { prepareRewrites } from './rewrites'
import { createWriter } from './writer'
import { writeTogether } from './writes'

export interface SqliteOptions {
  /** The path of a file, or `:memory:`. */
  readonly path: string
  readonly now: () => Date
  readonly log: Log
  /** Returns the free bytes of the disk. Tests replace it. */
  readonly freeBytes?: () => number
  /** The content of a store in memory, from `image()` of another. */
  readonly image?: Uint8Array
}

/** The embedded documents store with its own additional methods. */
export interface SqliteDocuments extends Documents {
  readonly kind: 'sqlite'
  /** Removes expired rows. Also runs every minute. */
  sweep(): Promise<number>
  /** Writes a consistent copy to a new file while work continues. */
  backup(to: string): Promise<void>
  /** Returns the content of a store in memory, for another that starts with it. That is faster than creating the tables. */
  image(): Uint8Array
  /** Returns the errors of `PRAGMA integrity_check`. Empty if there are none. */
  faults(): Promise<readonly string[]>
}

const sweepEveryMs = 60_000
/** Number of writes after which the Worker copies the write-ahead log into the file. */
const checkpointEvery = 400

/** Opens the embedded store. Only one process may use it: the caller must hold the lock of the folder. */
export async function openSqlite({
  path,
  now,
  log,
  freeBytes,
  image,
}: SqliteOptions): Promise<SqliteDocuments> {
  const connection = openWriter(path, image)
  const reader = path === ':memory:' ? createLocalReader(connection) : createReader(path)
  let sinceCheckpoint = 0
  const writer = createWriter(connection, (writes) => {
    sinceCheckpoint += writes
    if (closing || sinceCheckpoint < checkpointEvery) return
    sinceCheckpoint = 0
    reader.checkpoint().catch((error) => log.warn('A checkpoint failed', { reason: String(error) }))
  })
  const entities = new Map<string, AnyEntity>()
  const collections = new WeakMap<AnyEntity, Collection>()
  const counters = new Map<string, { count: number }>()
  const kept = createCachedAnswers()
  const fileVersion = () => Number(connection.rows('PRAGMA data_version')[0]?.[0])
  let closing: Promise<void> | undefined

  const counterOf = ({ name }: AnyEntity) => {
    const counter = counters.get(name) ?? { count: 0 }
    counters.set(name, counter)
    return counter
  }
  const collection = (entity: AnyEntity): Collection => {
    if (closing) throw new UnavailableError('The database is closed')
    const known = collections.get(entity)
    if (known) return known
    const writes = counterOf(entity)
    const made = createCollection({
      connection,
      reader,
      writer,
      layout: layoutOf(entity),
      now,
      writes,
      fileVersion,
      kept,
    })
    collections.set(entity, made)
    return made
  }
  const sweep = async () => {
    let swept = 0
    for (const entity of entities.values()) {
      for (const { keys, ttlSeconds } of indexesOf(entity)) {
        const [first] = keys
        if (ttlSeconds === undefined || !first) continue
        const before = new Date(now().getTime() - ttlSeconds * 1000).toISOString()
        swept += await collection(entity).remove({ op: 'lt', field: first.field, value: before })
      }
    }
    return swept
  }
  const timer = setInterval(() => {
    sweep().catch((error) => log.warn('Sweeping expired rows failed', { reason: String(error) }))
  }, sweepEveryMs)
  timer.unref()

  const close = async () => {
    clearInterval(timer)
    await writer.idle()
    await reader.close()
    connection.close()
  }
  return {
    kind: 'sqlite',
    collection: typedCollection(collection),
    ensure: async (wanted) => {
      await writer.idle()
      const layouts = wanted.map(layoutOf)
      const reporterOf = prepareRewrites(connection, layouts, {
        path,
        log,
        ...(freeBytes ? { freeBytes } : {}),
      })
      ensureTables(connection, layouts, reporterOf)
      kept.clear()
      for (const entity of wanted) entities.set(entity.name, entity)
    },
    together: async (writes) => {
      if (closing) throw new UnavailableError('The database is closed')
      await writeTogether(writes, { connection, writer, now, counterOf })
    },
    purge: () => writer.pause(() => reader.purge()),
    ping: async () => {
      if (closing) throw new UnavailableError('The database is closed')
      connection.rows('SELECT 1')
    },
    load: reader.load,
    close: () => {
      closing ??= close()
      return closing
    },
    sweep,
    image: () => connection.db.serialize(),
    backup: (to) => reader.backup(to),
    faults: async () => (await reader.check()).filter((line) => line !== 'ok'),
  }
}
