import type { Collection } from './port'

const cachedMax = 10_000

/**
 * Caches documents by id until a write to their rows, so that a revoked credential stops working at the next
 * request. If other processes write to the store, it is read every time.
 */
export const cachedDocuments = <Stored extends object>(
  collection: Pick<Collection, 'version'> & { get(id: string): Promise<Stored | null> },
): ((id: string) => Promise<Stored | null>) =>
  cachedReads(collection, async (id) => frozen(await collection.get(id)))

/** Freezes a cached row, because several callers get the same object. */
function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** Caches reads from one collection until a write to it. Missing rows are read every time. */
export function cachedReads<Answer extends object, More extends unknown[]>(
  collection: Pick<Collection, 'version'>,
  look: (key: string, ...more: More) => Promise<Answer | null>,
): (key: string, ...more: More) => Promise<Answer | null> {
  // Contains settled promises, so that a hit makes none.
  const cached = new BoundedMap<string, Promise<Answer>>(cachedMax)
  let cachedAt: number | undefined
  const lookAt = async (version: number, key: string, more: More) => {
    const found = await look(key, ...more)
    if (!found || cachedAt !== version || collection.version?.() !== version) return found
    cached.set(key, Promise.resolve(found))
    return found
  }
  return (key, ...more) => {
    const version = collection.version?.()
    if (version === undefined) return look(key, ...more)
    if (version !== cachedAt) cached.clear()
    cachedAt = version
    return cached.get(key) ?? lookAt(version, key, more)
  }
}

/** Joins several collections, so that a write to any of them clears the cache. */
export function jointly(collections: readonly Pick<Collection, 'version'>[]): Pick<Collection, 'version'> {
  if (collections.some(({ version }) => version === undefined)) return {}
  // Each version only grows, so their sum does too.
  return { version: () => collections.reduce((sum, { version }) => sum + (version?.() ?? 0), 0) }
}

/**
 * A cache by key of at most `max` entries. It is emptied when it is full, because everything in it can be looked up
 * again.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  set(key: K, value: V): void {
    if (!this.#entries.has(key) && this.#entries.size >= this.#max) this.clear()
    this.#entries.set(key, value)
  }
}
