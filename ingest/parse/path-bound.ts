import { assetPath, otherPath } from 'renown/contracts'
import { hash32 } from './hash'

export interface PathBound {
  /** Returns the path, or `otherPath` if the site has reached its limit of distinct paths on that day. */
  admit(siteId: string, date: string, path: string): string
}

interface Seen {
  slots: Uint32Array
  size: number
}

/**
 * Limits the distinct paths of a site's day, so that a crawler in an endless calendar cannot fill the table.
 * Stores paths as 32-bit hashes in at most `bytesMax`. Drops the least recently used days first.
 */
export function createPathBound(pathsMax: number, bytesMax = 32 * 2 ** 20): PathBound {
  /** Days in order of use. A used day moves to the end. */
  const days = new Map<string, Seen>()
  let bytes = 0
  let lastKey = ''
  let lastSite = ''
  let lastDate = ''
  let last: Seen | undefined

  function seenOf(siteId: string, date: string): Seen {
    if (last && siteId === lastSite && date === lastDate) return last
    const key = `${siteId} ${date}`
    const seen = days.get(key) ?? { slots: new Uint32Array(64), size: 0 }
    if (!days.delete(key)) bytes += seen.slots.byteLength
    days.set(key, seen)
    lastKey = key
    lastSite = siteId
    lastDate = date
    last = seen
    return seen
  }

  function forgetOldest() {
    for (const [key, seen] of days) {
      if (bytes <= bytesMax || key === lastKey) return
      days.delete(key)
      bytes -= seen.slots.byteLength
    }
  }

  return {
    admit(siteId, date, path) {
      if (path === assetPath || path === otherPath) return path
      const seen = seenOf(siteId, date)
      const hash = hash32(path) || 1
      const slot = find(seen.slots, hash)
      if (seen.slots[slot] === hash) return path
      if (seen.size >= pathsMax) return otherPath
      seen.slots[slot] = hash
      seen.size++
      if (seen.size * 2 > seen.slots.length) {
        bytes += seen.slots.byteLength
        seen.slots = grown(seen.slots)
        forgetOldest()
      }
      return path
    },
  }
}

function find(slots: Uint32Array, hash: number): number {
  const mask = slots.length - 1
  let slot = hash & mask
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask
  return slot
}

function grown(slots: Uint32Array): Uint32Array {
  const larger = new Uint32Array(slots.length * 2)
  for (const hash of slots) if (hash !== 0) larger[find(larger, hash)] = hash
  return larger
}
