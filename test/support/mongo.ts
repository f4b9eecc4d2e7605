import { openMongo } from '../../core/stores/documents/mongo'
import type { Documents } from '../../core/stores/documents/port'
import { quietLog } from './quiet-log'

/** The MongoDB to test against, each file in a database of its own; says loudly when there is none. */
export function mongoUri(): string | undefined {
  const base = process.env.RENOWN_TEST_MONGODB_URI
  if (!base) {
    console.warn(
      '\n!!! RENOWN_TEST_MONGODB_URI is not set: the MongoDB adapter is NOT exercised by this run.\n',
    )
    return undefined
  }
  const url = new URL(base)
  url.pathname = `/renown_${crypto.randomUUID().slice(0, 8)}`
  return url.href
}

/** Opens a store for documents of its own; undefined stands for the one in memory that a gate makes for itself. */
export type OpenDocuments = () => Promise<Documents | undefined>

/** Every store that a gate's guarantees are tested on: SQLite, and MongoDB where there is one. */
export const documentStores = (): readonly (readonly [name: string, open: OpenDocuments])[] => [
  ['SQLite', async () => undefined],
  ...(mongoUri() === undefined
    ? []
    : [
        [
          'MongoDB',
          () => openMongo({ uri: mongoUri() ?? '', now: () => new Date(), log: quietLog }),
        ] as const,
      ]),
]
