import type { Collection, Document } from '../stores/documents/port'

const keptMax = 10_000

/**
 * Reads documents by id and keeps them while nobody wrote to their rows, so that a credential which is revoked is revoked
 * for the next request. A store that other processes write to is asked every time.
 */
export function keptDocuments(collection: Collection): (id: string) => Promise<Document | null> {
  const kept = new Map<string, Document>()
  let keptAt: number | undefined
  return async (id) => {
    const version = collection.version?.()
    if (version === undefined) return collection.get(id)
    if (version !== keptAt) kept.clear()
    keptAt = version
    const known = kept.get(id)
    if (known) return known
    const found = await collection.get(id)
    if (!found || keptAt !== version || collection.version?.() !== version) return found
    if (kept.size >= keptMax) kept.clear()
    kept.set(id, found)
    return found
  }
}
