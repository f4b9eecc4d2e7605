/** Remembers ids for a while, in bounded memory. */
export interface IdSet {
  has(id: number): boolean
  /** To be called before many are added: what waits for memory then waits all at once, not one after the other. */
  approach(hits: readonly { readonly id?: number | undefined }[]): void
  /** Adds an id, a positive integer of at most 53 bits; false if it is known already. */
  add(id: number, at: number): boolean
  remove(id: number): void
  /** Since when ids are known without a gap, where memory did not suffice for the whole window; else null. */
  shortenedTo(): number | null
}

/** Open addressing; 0 is a free place. */
interface Generation {
  readonly since: number
  ids: Float64Array
  size: number
}

const perWindow = 4
const placesMin = 256

/**
 * Ids are kept for `windowMs` in generations that are forgotten whole, a quarter of the window each.
 * Where `bytesMax` does not suffice the oldest goes early.
 */
export function createIdSet(windowMs: number, bytesMax: number): IdSet {
  const placesMax = Math.max(placesMin, 2 ** Math.floor(Math.log2(bytesMax / 8 / perWindow)))
  const generations: Generation[] = []
  let shortened: number | null = null

  function current(at: number): Generation {
    const last = generations.at(-1)
    if (last && isFull(last) && last.ids.length < placesMax) last.ids = grown(last.ids)
    if (last && !isFull(last) && at - last.since < windowMs / perWindow) return last
    // After one that was full its like may be expected, and growing to it would stop everything a dozen times.
    const places = last && isFull(last) ? placesMax : placesMin
    const fresh = { since: at, ids: new Float64Array(places), size: 0 }
    generations.push(fresh)
    while (at - (generations[1]?.since ?? at) > windowMs) generations.shift()
    while (generations.length > 1 && bytesOf(generations) + (placesMax - places) * 8 > bytesMax) {
      generations.shift()
      shortened = generations[0]?.since ?? at
    }
    return fresh
  }

  const has = (id: number) => {
    for (const { ids } of generations) if (ids[find(ids, id)] === id) return true
    return false
  }
  return {
    has,
    approach(hits) {
      for (const { ids } of generations) touch(ids, hits)
    },
    add(id, at) {
      const generation = current(at)
      const place = find(generation.ids, id)
      if (generation.ids[place] === id || (generations.length > 1 && has(id))) return false
      generation.ids[place] = id
      generation.size++
      return true
    },
    remove(id) {
      for (const generation of generations) if (removeFrom(generation.ids, id)) generation.size--
    },
    shortenedTo: () => shortened,
  }
}

const bytesOf = (generations: readonly Generation[]) =>
  generations.reduce((sum, { ids }) => sum + ids.byteLength, 0)
const isFull = ({ ids, size }: Generation) => size * 4 >= ids.length * 3

/** Reads where ids would stand. The sum is there to be used: what is read for nothing is left out by the compiler. */
function touch(ids: Float64Array, hits: readonly { readonly id?: number | undefined }[]): void {
  const mask = ids.length - 1
  let sum = 0
  for (let at = 0; at < hits.length; at++) {
    const id = hits[at]?.id
    if (id !== undefined) sum += ids[firstPlace(id, mask)] as number
  }
  if (sum < 0) throw new Error('an id is negative')
}

// The high 31 bits of a hash are as good as any others, and cheap to come by.
const firstPlace = (id: number, mask: number) => (id * 2 ** -22) & mask

/** Where an id stands, or the free place where it would. */
function find(ids: Float64Array, id: number): number {
  const mask = ids.length - 1
  let place = firstPlace(id, mask)
  while (ids[place] !== 0 && ids[place] !== id) place = (place + 1) & mask
  return place
}

/** Takes an id out and moves up those behind it that could not be found any more. */
function removeFrom(ids: Float64Array, id: number): boolean {
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

function grown(ids: Float64Array): Float64Array {
  const larger = new Float64Array(ids.length * 2)
  for (const id of ids) if (id !== 0) larger[find(larger, id)] = id
  return larger
}
