import { gunzipSync } from 'node:zlib'
import { recordCharactersMax } from '../text/json-spans'
import type { Refusal } from '../text/reading'

/** How much a body may still decompress, in bytes. Shared by its records. */
export interface InflateBudget {
  left: number
}

/** Maximum bytes that the records of one body may have after decompression. */
export const inflatedRecordsMax = 256 * 2 ** 20

const unpackable: Refusal = { rejected: 'The record does not decompress' }
const tooDense: Refusal = { rejected: 'The records of the body are too large after decompression' }

/** Returns the text of base64, which may be compressed with gzip, or why it cannot be read. */
export function unpacked(base64: string, budget: InflateBudget): string | Refusal {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString('utf8')
  if (budget.left <= 0) return tooDense
  const maxOutputLength = Math.min(recordCharactersMax, budget.left)
  try {
    // Small chunks of a large record take longer than the record.
    const chunkSize = Math.min(2 ** 20, Math.max(2 ** 14, bytes.length * 16))
    const inflated = gunzipSync(bytes, { maxOutputLength, chunkSize })
    budget.left -= inflated.length
    return inflated.toString('utf8')
  } catch (error) {
    budget.left -= maxOutputLength
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooDense : unpackable
  }
}
