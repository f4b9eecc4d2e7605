import { firstSlot } from './first-slot'
import { find, grown, removeFrom } from './id-table'
import { loadAhead } from './load-ahead'
import type { MemoryAccount, SharedMemory } from './shared-memory'

/** Remembers ids for a while, in bounded memory. */
export interface IdSet {
  has(id: number): boolean
  /** Call it before adding many ids. It loads their memory at once, not one after the other. */
  approach(hits: readonly { readonly id?: number | undefined }[]): void
  /** Adds an id, a positive integer of at most 53 bits. Returns false if it is already known. */
  add(id: number, at: number): boolean
  remove(id: number): void
  /** Forgets ids that are older than the window, to free memory. */
  expire(at: number): void
  /**
   * Returns since when all ids are known, if memory was too small for the whole window before `at`. Otherwise
   * null.
   */
  shortenedTo(at: number): number | null
}

/** A hash table with open addressing. 0 marks a free slot. */
interface Generation {
  readonly since: number
  /** When the last of its ids was added. */
  newest: number
  ids: Float64Array
  size: number
  /** Its bit in the traces. */
  readonly bit: number
}

const perWindow = 4
const placesMin = 16
const generationsMax = 8
/** Traces for each slot of a generation. More traces need fewer lookups. */
const tracesPerPlace = 4
/** Memory of a generation in addition to its ids. */
const generationBytes = 128
/** A generation with fewer slots may grow without checking the others' memory. */
const placesFree = 1_024

interface State {
  readonly windowMs: number
  readonly generations: Generation[]
  readonly account: MemoryAccount
  traces: Uint8Array
  shortened: number
}

/**
 * Creates a set that keeps ids for `windowMs`, in four generations. Each generation is dropped as a whole,
 * and when memory is short, the oldest is dropped early. The traces of an id show which generations may
 * contain it, because each lookup waits for memory.
 */
export function createIdSet(windowMs: number, memory: SharedMemory): IdSet {
  const generations: Generation[] = []
  const state: State = {
    windowMs,
    generations,
    traces: new Uint8Array(placesMin * tracesPerPlace),
    shortened: Number.NEGATIVE_INFINITY,
    account: memory.open(() => giveUpOldest(state)),
  }
  state.account.reserve(state.traces.byteLength)
  return {
    has: (id) => isInAnother(generations, id, state.traces[traceOf(state.traces, id)] as number),
    approach: (hits) => loadAhead(generations, state.traces, hits),
    add(id, at) {
      const generation = current(state, at)
      const { traces } = state
      const place = find(generation.ids, id)
      if (generation.ids[place] === id) return false
      const trace = traceOf(traces, id)
      const bits = traces[trace] as number
      const others = bits & ~generation.bit
      if (others !== 0 && isInAnother(generations, id, others)) return false
      traces[trace] = bits | generation.bit
      generation.ids[place] = id
      generation.size++
      generation.newest = at
      return true
    },
    remove(id) {
      for (const generation of generations) if (removeFrom(generation.ids, id)) generation.size--
    },
    expire: (at) => expire(state, at),
    shortenedTo: (at) => (at - state.shortened < windowMs ? state.shortened : null),
  }
}

/** Returns the generation that new ids are added to. */
function current(state: State, at: number): Generation {
  const { generations, windowMs, account } = state
  const last = generations.at(-1)
  if (last && (!isFull(last) || grow(state, last)) && at - last.since < windowMs / perWindow) return last
  expire(state, at)
  if (generations.length >= generationsMax) giveUpOldest(state)
  // If the last generation was full, the next one starts with its size, because growing step by step stops
  // other work many times.
  const places = last && isFull(last) ? Math.min(last.ids.length, placesMaxOf(account)) : placesMin
  account.reserve(bytesOf(places))
  const bit = freeBit(generations)
  const fresh = { since: at, newest: at, ids: new Float64Array(places), size: 0, bit }
  generations.push(fresh)
  fitTraces(state)
  return fresh
}

/** Doubles a full generation. False if it has its full size, or its memory was needed elsewhere. */
function grow(state: State, generation: Generation): boolean {
  const { generations, account } = state
  const places = generation.ids.length * 2
  if (places > placesFree && places > placesMaxOf(account)) return false
  const more = bytesOf(places) - bytesOf(generation.ids.length)
  account.reserve(more)
  if (generations.at(-1) !== generation) {
    // This generation itself was dropped to free memory.
    account.release(more)
    return false
  }
  generation.ids = grown(generation.ids)
  fitTraces(state)
  return generations.at(-1) === generation
}

/**
 * Returns the maximum slots of a generation, so that the generations of a window fit into the site's share.
 */
function placesMaxOf(account: MemoryAccount): number {
  const places = account.share() / perWindow / (8 + tracesPerPlace / perWindow)
  return Math.max(placesFree, 2 ** Math.floor(Math.log2(places)))
}

function expire(state: State, at: number): void {
  const { generations, windowMs } = state
  for (;;) {
    const [oldest] = generations
    if (!oldest || at - oldest.newest <= windowMs) return
    forgetOldest(state)
  }
}

/** Drops the oldest generation early, if there is one. */
function giveUpOldest(state: State): void {
  const [oldest] = state.generations
  if (!oldest) return
  forgetOldest(state)
  state.shortened = oldest.newest
}

function forgetOldest(state: State): void {
  const gone = state.generations.shift()
  if (!gone) return
  state.account.release(bytesOf(gone.ids.length))
  clearBit(state.traces, gone.bit)
  fitTraces(state)
}

/** Resizes the traces for the largest generation. Shrinks them if they are far too large. */
function fitTraces(state: State): void {
  const { generations, account } = state
  const before = state.traces.length
  const wanted = generations.reduce((most, { ids }) => Math.max(most, ids.length), placesMin) * tracesPerPlace
  if (wanted <= before && wanted * 4 > before) return
  state.traces = new Uint8Array(wanted)
  for (const { ids, bit } of generations) for (const id of ids) if (id !== 0) leave(state.traces, id, bit)
  if (wanted > before) account.reserve(wanted - before)
  else account.release(before - wanted)
}

function isInAnother(generations: readonly Generation[], id: number, bits: number): boolean {
  for (const { ids, bit } of generations) if ((bits & bit) !== 0 && ids[find(ids, id)] === id) return true
  return false
}

const bytesOf = (places: number) => places * 8 + generationBytes

function freeBit(generations: readonly Generation[]): number {
  let bit = 1
  while (generations.some((other) => other.bit === bit)) bit *= 2
  return bit
}

const traceOf = (traces: Uint8Array, id: number) => firstSlot(id, traces.length - 1)

function leave(traces: Uint8Array, id: number, bit: number): void {
  const trace = traceOf(traces, id)
  traces[trace] = (traces[trace] as number) | bit
}

function clearBit(traces: Uint8Array, bit: number): void {
  const words = new Int32Array(traces.buffer)
  const kept = ~(bit * 0x01010101)
  for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) & kept
}

const isFull = ({ ids, size }: Generation) => size * 4 >= ids.length * 3
