/** An answer as it was sent: bytes and headers, the ETag among them. */
export interface Page {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

export interface PageCache {
  /** The page under a key, if its rows were not written since. */
  get(key: string, version: number): Page | undefined
  put(key: string, version: number, page: Page): void
}

/** Keys that were asked for once are remembered by their digest. */
const onceMax = 5_000

/**
 * Keeps the pages asked for last, up to so many bytes. A page is good for the version of its rows and no other, and is kept
 * from the second time it is asked for: to hold every page that is read once would cost more than it saves.
 */
export function createPageCache(bytesMax: number): PageCache {
  const pages = new Map<string, { version: number; page: Page; bytes: number }>()
  const once = new Map<bigint | number, number>()
  let held = 0
  const isAskedAgain = (key: string, version: number) => {
    const digest = Bun.hash(key)
    if (once.get(digest) === version) return once.delete(digest)
    if (once.size >= onceMax) once.clear()
    once.set(digest, version)
    return false
  }
  const drop = (key: string) => {
    held -= pages.get(key)?.bytes ?? 0
    pages.delete(key)
  }
  return {
    get(key, version) {
      const found = pages.get(key)
      if (!found) return
      pages.delete(key)
      if (found.version !== version) {
        held -= found.bytes
        return
      }
      pages.set(key, found)
      return found.page
    },
    put(key, version, page) {
      const bytes = page.body.length + 2 * key.length
      drop(key)
      if (bytes > bytesMax / 8 || !isAskedAgain(key, version)) return
      pages.set(key, { version, page, bytes })
      held += bytes
      for (const oldest of pages.keys()) {
        if (held <= bytesMax) break
        drop(oldest)
      }
    },
  }
}
