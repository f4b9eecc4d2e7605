/** A run of whole lines, by its place in the text. */
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

export const chunkLimits: ChunkLimits = { bytes: 2 * 2 ** 20, lines: 20_000 }
/** A text without line ends is cut here; it is no log. */
const lineBytesMax = 8 * 2 ** 20
const newline = 0x0a

/**
 * Cuts a text into chunks of whole lines. Where it is cut depends on the text and the limits alone, so that a repeat
 * cuts alike; `firstEnd` forces the first cut where an earlier run had made it.
 */
export async function* chunksOf(
  pieces: AsyncIterable<Uint8Array>,
  start: number,
  firstEnd: number | null = null,
  limits: ChunkLimits = chunkLimits,
): AsyncGenerator<Chunk> {
  let held: Uint8Array = new Uint8Array(0)
  let at = start
  let forced = firstEnd
  const emit = (length: number): Chunk => {
    const bytes = held.subarray(0, length)
    const chunk = { start: at, end: at + length, bytes, lines: countLines(bytes) }
    held = held.subarray(length)
    at += length
    forced = null
    return chunk
  }
  for await (const piece of pieces) {
    held = held.byteLength === 0 ? piece : Buffer.concat([held, piece])
    for (;;) {
      const length = forced === null ? cut(held, limits) : forcedCut(held, forced - at)
      if (length === 0) break
      yield emit(length)
    }
  }
  if (held.byteLength > 0) yield emit(held.byteLength)
}

const forcedCut = (held: Uint8Array, length: number) => (held.byteLength >= length ? length : 0)

/** Length of the next chunk; 0 while more text is needed. */
function cut(held: Uint8Array, limits: ChunkLimits): number {
  const byLines = endOfLine(held, limits.lines)
  if (byLines > 0 && byLines <= limits.bytes) return byLines
  if (held.byteLength < limits.bytes) return 0
  const last = held.lastIndexOf(newline, limits.bytes - 1)
  if (last >= 0) return last + 1
  const next = held.indexOf(newline, limits.bytes)
  if (next >= 0) return next + 1
  return held.byteLength >= lineBytesMax ? lineBytesMax : 0
}

/** Where the line of that number ends; 0 where the text is shorter. */
function endOfLine(held: Uint8Array, line: number): number {
  let at = -1
  for (let count = 0; count < line; count++) {
    at = held.indexOf(newline, at + 1)
    if (at < 0) return 0
  }
  return at + 1
}

function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++
  return bytes.at(-1) === newline ? count : count + 1
}
