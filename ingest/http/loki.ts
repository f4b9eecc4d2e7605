import { lokiLines } from '../parse/binary/loki-push'
import { binarySizes, decompressed, joinLines } from './binary-body'
import { type Dialect, unstored, usualBatchId } from './dialect'

/** Loki's push address, with JSON. */
export const loki: Dialect = {
  batchId: usualBatchId,
  accepted: () => new Response(null, { status: 204, headers: unstored }),
}

/** Loki's push address, with Protocol Buffers in a block of Snappy. */
export const lokiBinary: Dialect = {
  ...loki,
  isBinary: true,
  sizes: binarySizes,
  async translate(bytes, room) {
    const message = decompressed(bytes, room)
    return message instanceof Uint8Array ? joinLines(message, lokiLines, room) : message
  },
}
