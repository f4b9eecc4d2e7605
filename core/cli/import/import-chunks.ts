/** Some whole lines, with their position in the text. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
  readonly lines: number
}

export interface ChunkLimits {
  readonly bytes: number
  readonly lines: number
}

/** Large enough that each sync costs little, and small enough for the processor's caches. */
export const chunkLimits: ChunkLimits = { bytes: 2 ** 20, lines: 10_000 }
/** A text without line ends is cut here, because it is not a log. */
const lineBytesMax = 8 * 2 ** 20
const newline = 0x0a

/**
 * Cuts a text into chunks of whole lines. The cuts depend only on the text and the limits, so a repeated import cuts
 * the same way. `firstEnds` sets the first cuts to those of an earlier run.
 */
export async function* chunksOf(
  pieces: AsyncIterable<Uint8Array>,
  start: number,
  firstEnds: readonly number[] = [],
  limits: ChunkLimits = chunkLimits,
): AsyncGenerator<Chunk> {
  const lengths = firstEnds.map((end, place) => end - (firstEnds[place - 1] ?? start))
  const held = createHeld(limits, lengths)
  let at = start
  const emitted = ({ bytes, lines }: Cut): Chunk => {
    const chunk = { start: at, end: at + bytes.byteLength, bytes, lines }
    at = chunk.end
    return chunk
  }
  for await (const piece of pieces) {
    held.add(piece)
    for (let cut = held.cut(); cut; cut = held.cut()) yield emitted(cut)
  }
  const rest = held.rest()
  if (rest) yield emitted(rest)
}

interface Cut {
  readonly bytes: Uint8Array
  readonly lines: number
}

/** The text that was read but not cut yet. Each byte is copied at most twice and examined once. */
function createHeld(limits: ChunkLimits, forced: number[]) {
  let bytes = Buffer.allocUnsafe(limits.bytes)
  let length = 0
  /** The line ends up to `seen`, and the position after the last one that a part may have. */
  let lines = 0
  let seen = 0
  let wholeLines = 0

  function add(piece: Uint8Array) {
    if (length + piece.byteLength > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + piece.byteLength))
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    bytes.set(piece, length)
    length += piece.byteLength
  }

  /** Searches line ends, up to the limit of a chunk or the end of the text. */
  function look() {
    const within = bytes.subarray(0, Math.min(length, limits.bytes))
    while (lines < limits.lines) {
      const found = within.indexOf(newline, seen)
      if (found < 0) {
        seen = within.length
        return
      }
      lines++
      seen = found + 1
      wholeLines = seen
    }
  }

  /** Returns the end of the next chunk. 0 if more text is needed. */
  function cutAt(): number {
    const [wanted] = forced
    if (wanted !== undefined) return length >= wanted ? wanted : 0
    look()
    if (lines >= limits.lines) return wholeLines
    if (length < limits.bytes) return 0
    if (wholeLines > 0) return wholeLines
    const next = bytes.subarray(0, length).indexOf(newline, limits.bytes)
    if (next >= 0) return next + 1
    return length >= lineBytesMax ? lineBytesMax : 0
  }

  function takeOff(end: number): Cut {
    const cut = {
      bytes: bytes.subarray(0, end),
      lines: end === wholeLines ? lines : countLines(bytes.subarray(0, end)),
    }
    const left = bytes.subarray(end, length)
    bytes = Buffer.allocUnsafe(Math.max(limits.bytes, left.byteLength))
    bytes.set(left)
    length = left.byteLength
    lines = 0
    seen = 0
    wholeLines = 0
    forced.shift()
    return cut
  }

  return {
    add,
    cut() {
      const end = cutAt()
      return end > 0 ? takeOff(end) : null
    },
    rest: () => (length > 0 ? takeOff(length) : null),
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++
  return bytes.at(-1) === newline ? count : count + 1
}
