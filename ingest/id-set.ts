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
  /** Its bit in the traces. */
  readonly bit: number
}

const perWindow = 4
const placesMin = 256
const generationsMax = 8
/** Traces for each place of a generation: so many more ids than places are told apart at a glance. */
const tracesPerPlace = 4

/**
 * Ids are kept for `windowMs` in generations that are forgotten whole, a quarter of the window each.
 * Where `bytesMax` does not suffice the oldest goes early. What an id leaves in the traces tells in which generations it may
 * stand: to look into each of them would be to wait for memory as often.
 */
export function createIdSet(windowMs: number, bytesMax: number): IdSet {
  const placesMax = Math.max(placesMin, 2 ** Math.floor(Math.log2(bytesMax / 8 / perWindow)))
  const generations: Generation[] = []
  let traces = new Uint8Array(placesMin * tracesPerPlace)
  /** Of the generation forgotten last: what is thrown away stays in memory until a collector comes by. */
  let spare: Float64Array | undefined
  let shortened: number | null = null

  function current(at: number): Generation {
    const last = generations.at(-1)
    if (last && isFull(last) && last.ids.length < placesMax) grow(last)
    if (last && !isFull(last) && at - last.since < windowMs / perWindow) return last
    while (generations.length > 0 && at - endOfOldest() > windowMs) forgetOldest()
    // After one that was full its like may be expected, and growing to it would stop everything a dozen times.
    const places = last && isFull(last) ? placesMax : placesMin
    while (isFilled()) {
      forgetOldest()
      shortened = generations[0]?.since ?? at
    }
    const fresh = { since: at, ids: placesFor(places), size: 0, bit: freeBit(generations) }
    generations.push(fresh)
    return fresh
  }

  function placesFor(places: number): Float64Array {
    if (spare?.length !== places) return new Float64Array(places)
    const ids = spare.fill(0)
    spare = undefined
    return ids
  }

  /** Nothing was added to the oldest after it. */
  const endOfOldest = () => generations[1]?.since ?? (generations[0]?.since ?? 0) + windowMs / perWindow

  /** Another one, grown to its full size, would not fit. */
  const isFilled = () =>
    generations.length >= generationsMax ||
    (generations.length > 0 && bytesOf(generations) + traces.byteLength + placesMax * 8 > bytesMax)

  function forgetOldest() {
    const gone = generations.shift()
    if (!gone) return
    clearBit(traces, gone.bit)
    spare = gone.ids
  }

  function grow(generation: Generation) {
    generation.ids = grown(generation.ids)
    const wanted = generation.ids.length * tracesPerPlace
    if (wanted <= traces.length) return
    traces = new Uint8Array(wanted)
    for (const { ids, bit } of generations) for (const id of ids) if (id !== 0) leave(traces, id, bit)
  }

  function isInAnother(id: number, bits: number) {
    for (const { ids, bit } of generations) if ((bits & bit) !== 0 && ids[find(ids, id)] === id) return true
    return false
  }
  return {
    has: (id) => isInAnother(id, traces[traceOf(traces, id)] as number),
    approach(hits) {
      const last = generations.at(-1)
      if (last) touch(last.ids, traces, hits)
    },
    add(id, at) {
      const generation = current(at)
      const place = find(generation.ids, id)
      if (generation.ids[place] === id) return false
      const trace = traceOf(traces, id)
      const bits = traces[trace] as number
      if ((bits & ~generation.bit) !== 0 && isInAnother(id, bits & ~generation.bit)) return false
      traces[trace] = bits | generation.bit
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

function freeBit(generations: readonly Generation[]): number {
  let bit = 1
  while (generations.some((other) => other.bit === bit)) bit *= 2
  return bit
}

const traceOf = (traces: Uint8Array, id: number) => firstPlace(id, traces.length - 1)

function leave(traces: Uint8Array, id: number, bit: number): void {
  const trace = traceOf(traces, id)
  traces[trace] = (traces[trace] as number) | bit
}

function clearBit(traces: Uint8Array, bit: number): void {
  const words = new Int32Array(traces.buffer)
  const kept = ~(bit * 0x01010101)
  for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & kept
}

const bytesOf = (generations: readonly Generation[]) =>
  generations.reduce((sum, { ids }) => sum + ids.byteLength, 0)
const isFull = ({ ids, size }: Generation) => size * 4 >= ids.length * 3

/** Reads where ids would stand. The sum is there to be used: what is read for nothing is left out by the compiler. */
function touch(
  ids: Float64Array,
  traces: Uint8Array,
  hits: readonly { readonly id?: number | undefined }[],
): void {
  const mask = ids.length - 1
  let sum = 0
  for (let at = 0; at < hits.length; at++) {
    const id = hits[at]?.id
    if (id !== undefined)
      sum += (ids[firstPlace(id, mask)] as number) + (traces[traceOf(traces, id)] as number)
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
