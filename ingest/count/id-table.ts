import { firstSlot } from './first-slot'

// A hash table with open addressing. 0 marks a free slot.

/** Returns the slot of an id, or the free slot where it belongs. */
export function find(ids: Float64Array, id: number): number {
  const mask = ids.length - 1
  let place = firstSlot(id, mask)
  while (ids[place] !== 0 && ids[place] !== id) place = (place + 1) & mask
  return place
}

/** Removes an id and moves later ones up, so that they can still be found. */
export function removeFrom(ids: Float64Array, id: number): boolean {
  const place = find(ids, id)
  if (ids[place] !== id) return false
  ids[place] = 0
  const mask = ids.length - 1
  for (let next = (place + 1) & mask; ids[next] !== 0; next = (next + 1) & mask) {
    const moved = ids[next] as number
    ids[next] = 0
    ids[find(ids, moved)] = moved
  }
  return true
}

/** Returns the same ids in a table of twice the size. */
export function grown(ids: Float64Array): Float64Array {
  const larger = new Float64Array(ids.length * 2)
  for (const id of ids) if (id !== 0) larger[find(larger, id)] = id
  return larger
}
