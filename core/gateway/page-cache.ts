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

/** Keeps the pages asked for last, up to so many bytes. A page is good for the version of its rows and no other. */
export function createPageCache(bytesMax: number): PageCache {
  const pages = new Map<string, { version: number; page: Page; bytes: number }>()
  let held = 0
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
      if (bytes > bytesMax / 8) return
      pages.set(key, { version, page, bytes })
      held += bytes
      for (const oldest of pages.keys()) {
        if (held <= bytesMax) break
        drop(oldest)
      }
    },
  }
}
