const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const newline = 0x0a
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])
const blank = new Set([0x0d, 0x0a])

/** Yields the elements of a JSON array one per line, so that memory stays bounded for a file of any size. */
export async function* splitJsonArray(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let depth = 0
  let inString = false
  let escaped = false
  for await (const piece of pieces) {
    const out = new Uint8Array(piece.byteLength)
    let length = 0
    for (const byte of piece) {
      if (inString) {
        out[length++] = byte
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
        continue
      }
      if (byte === quote) inString = true
      if (opening.has(byte) && depth++ === 0) continue
      if (closing.has(byte) && --depth === 0) continue
      if (depth === 0 || blank.has(byte)) continue
      out[length++] = depth === 1 && byte === comma ? newline : byte
    }
    yield out.subarray(0, length)
  }
  yield Uint8Array.of(newline)
}
