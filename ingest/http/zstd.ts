const magic = 0xfd2fb528
const blockBytesMax = 128 * 1024

/**
 * Whether the bytes are complete zstd frames (RFC 8878 §3.1). Reads the frame headers, because a decompressor returns
 * what it has of an incomplete frame.
 */
export function isWholeZstd(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at >= 0 && at < bytes.length) at = endOfFrame(view, at)
  return at === bytes.length
}

/** No end, as every number below zero. */
const none = -1

/** Returns the end of the frame, or `none` if it is invalid or incomplete. */
function endOfFrame(view: DataView, start: number): number {
  if (start + 8 > view.byteLength) return none
  const sign = view.getUint32(start, true)
  // A skippable frame states its length.
  if ((sign & 0xfffffff0) >>> 0 === 0x184d2a50) return start + 8 + view.getUint32(start + 4, true)
  if (sign !== magic) return none
  const descriptor = view.getUint8(start + 4)
  let at = start + 5 + headerBytes(descriptor)
  for (let isLast = false; !isLast; ) {
    if (at + 3 > view.byteLength) return none
    const block = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const size = block >>> 3
    if (size > blockBytesMax) return none
    isLast = (block & 1) === 1
    // A block of type 1 is one repeated byte.
    at += 3 + (((block >>> 1) & 3) === 1 ? 1 : size)
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4)
}

/** Returns the bytes of window, dictionary and content size after the descriptor. */
function headerBytes(descriptor: number): number {
  const isSingle = (descriptor & 0x20) !== 0
  const window = isSingle ? 0 : 1
  const dictionary = [0, 1, 2, 4][descriptor & 3] as number
  const sizeFlag = descriptor >>> 6
  return window + dictionary + (sizeFlag === 0 ? Number(isSingle) : 2 ** sizeFlag)
}
