import { binarySizes, statedBytes } from './decoding/binary-body'
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
  form: 'loki',
  sizes: binarySizes,
  bytesOf: statedBytes,
}
