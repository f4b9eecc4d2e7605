import type { describe } from 'bun:test'
import { mongo } from 'mongoose'
import { openMongo } from '../../core/stores/documents/mongo'
import type { Documents } from '../../core/stores/documents/port'
import { describeWith } from './needs'
import { quietLog } from './quiet-log'

/** The MongoDB to test against, each call in a database of its own. Undefined where there is none: use `testWith('MongoDB')`. */
export function mongoUri(): string | undefined {
  const base = process.env.RENOWN_TEST_MONGODB_URI
  if (!base) return undefined
  const url = new URL(base)
  url.pathname = `/renown_${crypto.randomUUID().slice(0, 8)}`
  return url.href
}

/** Removes the database of a URI with all its collections. */
export async function dropDatabase(uri: string): Promise<void> {
  const client = await mongo.MongoClient.connect(uri)
  await client.db().dropDatabase()
  await client.close()
}

type StoreName = 'SQLite' | 'MongoDB'

/**
 * Describes a suite once for each documents store. Without a MongoDB the second one is skipped and counted, never left out. `%s` in the
 * title is the name of the store.
 */
export function describeStores<Open>(
  stores: Readonly<Record<StoreName, Open>>,
  title: string,
  suite: (name: StoreName, open: Open) => void,
): void {
  for (const name of ['SQLite', 'MongoDB'] as const) {
    const run: typeof describe = name === 'MongoDB' ? describeWith('MongoDB') : describeWith()
    run(title.replace('%s', name), () => suite(name, stores[name]))
  }
}

/** Opens a store for documents of its own; undefined stands for the one in memory that a gate makes for itself. */
export type OpenDocuments = () => Promise<Documents | undefined>

/** Describes a suite of a gate's guarantees for every store that a gate can have. */
export function describeGateStores(
  title: string,
  suite: (name: StoreName, open: OpenDocuments) => void,
): void {
  const stores: Record<StoreName, OpenDocuments> = {
    SQLite: async () => undefined,
    MongoDB: () => openMongo({ uri: mongoUri() ?? '', now: () => new Date(), log: quietLog }),
  }
  describeStores(stores, title, suite)
}
