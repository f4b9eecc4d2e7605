import { find, grown, removeFrom } from './id-table'
import type { SharedMemory } from './shared-memory'

/** Remembers the latest ids, in little memory that stays in the processor's cache. */
export interface RecentIds {
  /** Adds an id. Returns false if it is among the latest. */
  add(id: number): boolean
  remove(id: number): void
}

const placesMin = 64
const placesMax = 2 ** 13
const bytesPerPlace = 8

/** Creates an empty memory of the latest ids: of at least 6,000 where memory allows, and at most twice as many. */
export function createRecentIds(memory: SharedMemory): RecentIds {
  let current: Float64Array = new Float64Array(placesMin)
  let previous: Float64Array | null = null
  let size = 0
  const account = memory.open(giveUp)
  account.reserve(current.byteLength)

  function giveUp() {
    if (previous) {
      account.release(previous.byteLength)
      previous = null
    } else if (current.length > placesMin) {
      account.release((current.length - placesMin) * bytesPerPlace)
      current = new Float64Array(placesMin)
      size = 0
    }
  }

  function makeRoom() {
    const full = current
    if (full.length < placesMax) {
      account.reserve(full.byteLength)
      // Reserving may have emptied it.
      if (current === full) current = grown(full)
      else account.release(full.byteLength)
      return
    }
    current = previous?.fill(0) ?? new Float64Array(placesMax)
    if (!previous) account.reserve(current.byteLength)
    previous = full
    size = 0
  }

  return {
    add(id) {
      if (size * 4 >= current.length * 3) makeRoom()
      const place = find(current, id)
      if (current[place] === id || (previous && previous[find(previous, id)] === id)) return false
      current[place] = id
      size++
      return true
    },
    remove(id) {
      if (removeFrom(current, id)) size--
      else if (previous) removeFrom(previous, id)
    },
  }
}
