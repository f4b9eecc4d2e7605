import { BadMessage } from './protobuf'

/** Thrown when the decompressed bytes would be more than allowed. */
export class TooLong extends Error {}

/**
 * Decompresses the block format of Snappy. The result has the length that the block states, at most `bytesMax`.
 * Throws BadMessage where the block is malformed.
 */
export function unsnappy(block: Uint8Array, bytesMax: number): Uint8Array {
  const { length, at: start } = statedLength(block)
  if (length > bytesMax) throw new TooLong()
  // Every element makes at most 64 bytes of 2, so a short block cannot ask for much memory.
  if (length > block.length * 64) throw new BadMessage('the block is shorter than it states')
  const out = new Uint8Array(length)
  let at = start
  let end = 0
  while (at < block.length) {
    const tag = block[at++] as number
    if ((tag & 3) === 0) {
      const { count, skip } = literalLength(block, at, tag >> 2)
      at += skip
      if (count > block.length - at || count > length - end) throw new BadMessage('a literal is too long')
      // A view of a few bytes would take longer than copying them.
      if (count > 32) out.set(block.subarray(at, at + count), end)
      else for (let n = 0; n < count; n++) out[end + n] = block[at + n] as number
      at += count
      end += count
    } else {
      const { count, offset, skip } = copyOf(block, at, tag)
      at += skip
      if (offset === 0 || offset > end || count > length - end) throw new BadMessage('a copy is out of range')
      // A copy may overlap what it makes.
      if (offset >= count) out.copyWithin(end, end - offset, end - offset + count)
      else for (let n = 0; n < count; n++) out[end + n] = out[end - offset + n] as number
      end += count
    }
  }
  if (end !== length) throw new BadMessage('the block ends early')
  return out
}

/** Returns the length that a block states, and where its elements begin. */
export function statedLength(block: Uint8Array) {
  let length = 0
  for (let at = 0; at < 5; at++) {
    const byte = block[at]
    if (byte === undefined) break
    length += (byte & 127) * 2 ** (7 * at)
    if (byte < 128) return { length, at: at + 1 }
  }
  throw new BadMessage('the block states no length')
}

/** Long literals have their length in one to four bytes after the tag. */
function literalLength(block: Uint8Array, at: number, short: number) {
  if (short < 60) return { count: short + 1, skip: 0 }
  const skip = short - 59
  return { count: littleEndian(block, at, skip) + 1, skip }
}

function copyOf(block: Uint8Array, at: number, tag: number) {
  if ((tag & 3) === 1)
    return { count: ((tag >> 2) & 7) + 4, offset: (tag >> 5) * 256 + littleEndian(block, at, 1), skip: 1 }
  const skip = (tag & 3) === 2 ? 2 : 4
  return { count: (tag >> 2) + 1, offset: littleEndian(block, at, skip), skip }
}

function littleEndian(block: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let n = 0; n < count; n++) {
    const byte = block[at + n]
    if (byte === undefined) throw new BadMessage('the block ends early')
    value += byte * 2 ** (8 * n)
  }
  return value
}
