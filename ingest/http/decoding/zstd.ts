const magic = 0xfd2fb528
const blockBytesMax = 128 * 1024

/** Steps of the walk between two turns. */
const stepsMax = 2 ** 15

/**
 * Whether the bytes are complete zstd frames (RFC 8878 §3.1). Reads the frame headers, because a decompressor returns
 * what it has of an incomplete frame.
 */
export function isWholeZstd(bytes: Uint8Array): boolean {
  const walk = walkFrames(bytes)
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
  }
}

/** Like `isWholeZstd`, with a turn after many frames or blocks, which may have three bytes. */
export async function isWholeZstdInTurns(bytes: Uint8Array, turn: () => Promise<void>): Promise<boolean> {
  const walk = walkFrames(bytes)
  for (;;) {
    const { done, value } = walk.next()
    if (done) return value
    await turn()
  }
}

function* walkFrames(bytes: Uint8Array): Generator<void, boolean> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let steps = 0
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return false
    const sign = view.getUint32(at, true)
    // A skippable frame states its length.
    if ((sign & 0xfffffff0) >>> 0 === 0x184d2a50) at += 8 + view.getUint32(at + 4, true)
    else if (sign === magic) {
      const descriptor = view.getUint8(at + 4)
      at += 5 + headerBytes(descriptor)
      for (let isLast = false; !isLast; steps++) {
        if (steps > stepsMax) {
          steps = 0
          yield
        }
        if (at + 3 > bytes.length) return false
        const block = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
        const size = block >>> 3
        if (size > blockBytesMax) return false
        isLast = (block & 1) === 1
        // A block of type 1 is one repeated byte.
        at += 3 + (((block >>> 1) & 3) === 1 ? 1 : size)
      }
      at += (descriptor & 4) === 0 ? 0 : 4
    } else return false
    if (++steps > stepsMax) {
      steps = 0
      yield
    }
  }
  return at === bytes.length
}

/** Returns the bytes of window, dictionary and content size after the descriptor. */
function headerBytes(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const window = isSingle ? 0 : 1
  const dictionary = [0, 1, 2, 4][descriptor & 3] as number
  const sizeFlag = descriptor >>> 6
  return window + dictionary + (sizeFlag === 0 ? Number(isSingle) : 2 ** sizeFlag)
}
