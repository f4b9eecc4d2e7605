import type { Collection } from './port'

const keptMax = 10_000

/**
 * Reads documents by id and keeps them while nobody wrote to their rows, so that a credential which is revoked is revoked
 * for the next request. A store that other processes write to is asked every time.
 */
export const keptDocuments = <Stored extends object>(
  collection: Pick<Collection, 'version'> & { get(id: string): Promise<Stored | null> },
): ((id: string) => Promise<Stored | null>) =>
  keptAnswers(collection, async (id) => frozen(await collection.get(id)))

/** Many are handed the same row: nobody can change it under the others. */
function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** The same of anything that is read from one collection alone. What is not there is looked for every time. */
export function keptAnswers<Answer extends object, More extends unknown[]>(
  collection: Pick<Collection, 'version'>,
  look: (key: string, ...more: More) => Promise<Answer | null>,
): (key: string, ...more: More) => Promise<Answer | null> {
  const kept = new Map<string, Answer>()
  let keptAt: number | undefined
  return async (key, ...more) => {
    const version = collection.version?.()
    if (version === undefined) return look(key, ...more)
    if (version !== keptAt) kept.clear()
    keptAt = version
    const known = kept.get(key)
    if (known) return known
    const found = await look(key, ...more)
    if (!found || keptAt !== version || collection.version?.() !== version) return found
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, found)
    return found
  }
}

/** Several collections as one that something rests on: what is kept of it ends with a write to any of them. */
export function jointly(collections: readonly Pick<Collection, 'version'>[]): Pick<Collection, 'version'> {
  if (collections.some(({ version }) => version === undefined)) return {}
  // Each only ever grows, and so does the sum.
  return { version: () => collections.reduce((sum, { version }) => sum + (version?.() ?? 0), 0) }
}
