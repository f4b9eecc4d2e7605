/** Remembers 64-bit hashes for a while, in bounded memory. */
export interface IdSet {
  /** An id is 16 hexadecimal digits. */
  has(id: string): boolean
  add(id: string, at: number): void
  /** Since when ids are known without a gap, where memory did not suffice for the whole window; else null. */
  shortenedTo(): number | null
}

/** Open addressing over pairs of words; 0 0 is a free place. */
interface Generation {
  readonly since: number
  words: Uint32Array
  size: number
}

const perWindow = 4
const wordsMin = 512

/**
 * Ids are kept for `windowMs` in generations that are forgotten whole, a quarter of the window each.
 * Where `bytesMax` does not suffice the oldest goes early.
 */
export function createIdSet(windowMs: number, bytesMax: number): IdSet {
  const wordsMax = Math.max(wordsMin, 2 ** Math.floor(Math.log2(bytesMax / 4 / perWindow)))
  const generations: Generation[] = []
  let shortened: number | null = null

  function current(at: number): Generation {
    const last = generations.at(-1)
    if (last && isFull(last) && last.words.length < wordsMax) last.words = grown(last.words)
    if (last && !isFull(last) && at - last.since < windowMs / perWindow) return last
    const fresh = { since: at, words: new Uint32Array(wordsMin), size: 0 }
    generations.push(fresh)
    while (at - (generations[1]?.since ?? at) > windowMs) generations.shift()
    while (generations.length > 1 && bytesOf(generations) + wordsMax * 4 > bytesMax + wordsMin * 4) {
      generations.shift()
      shortened = generations[0]?.since ?? at
    }
    return fresh
  }

  return {
    has(id) {
      const [high, low] = wordsOf(id)
      return generations.some(({ words }) => !isFree(words, find(words, high, low)))
    },
    add(id, at) {
      const [high, low] = wordsOf(id)
      const generation = current(at)
      const place = find(generation.words, high, low)
      if (!isFree(generation.words, place)) return
      generation.words[place] = high
      generation.words[place + 1] = low
      generation.size++
    },
    shortenedTo: () => shortened,
  }
}

const bytesOf = (generations: readonly Generation[]) =>
  generations.reduce((sum, { words }) => sum + words.byteLength, 0)
const isFull = ({ words, size }: Generation) => size * 8 >= words.length * 3
const isFree = (words: Uint32Array, place: number) => words[place] === 0 && words[place + 1] === 0

function wordsOf(id: string): [high: number, low: number] {
  const high = Number.parseInt(id.slice(0, 8), 16)
  return [high, Number.parseInt(id.slice(8), 16) || 1]
}

/** Where an id stands, or the free place where it would. */
function find(words: Uint32Array, high: number, low: number): number {
  const mask = words.length - 2
  let place = (low << 1) & mask
  while (!isFree(words, place) && (words[place] !== high || words[place + 1] !== low)) {
    place = (place + 2) & mask
  }
  return place
}

function grown(words: Uint32Array): Uint32Array {
  const larger = new Uint32Array(words.length * 2)
  for (let at = 0; at < words.length; at += 2) {
    if (isFree(words, at)) continue
    const place = find(larger, words[at] ?? 0, words[at + 1] ?? 0)
    larger[place] = words[at] ?? 0
    larger[place + 1] = words[at + 1] ?? 0
  }
  return larger
}
