import { BadMessage } from '../parse/binary/protobuf'
import { TooLong, unsnappy } from '../parse/binary/snappy'
import { type Problem, problem } from './problem'

/** The largest body in Protocol Buffers, on the wire and after decompression. Their clients send less than 4 MiB. */
export const binarySizes = { wireBytesMax: 16 * 2 ** 20, inflatedBytesMax: 16 * 2 ** 20 }

const malformed = problem('malformed_body', 'The body is not the message that its content type says.')
const tooLarge = problem(
  'payload_too_large',
  `A body may have ${binarySizes.inflatedBytesMax} bytes inflated. Send it in parts.`,
)
/** After this many lines, other work may run. */
const linesAtOnce = 500

/** Joins the lines in a binary body. */
export async function joinLines(lines: Generator<string>): Promise<string | Problem> {
  const read: string[] = []
  let length = 0
  try {
    for (const line of lines) {
      length += line.length
      if (length > 4 * binarySizes.inflatedBytesMax) return tooLarge
      read.push(line)
      if (read.length % linesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  } catch (error) {
    if (error instanceof BadMessage) return malformed
    throw error
  }
  return read.join('\n')
}

/** Returns the bytes in a block of Snappy, or why it cannot be read. */
export function decompressed(block: Uint8Array): Uint8Array | Problem {
  try {
    return block.length === 0 ? block : unsnappy(block, binarySizes.inflatedBytesMax)
  } catch (error) {
    if (error instanceof TooLong) return tooLarge
    if (error instanceof BadMessage) return malformed
    throw error
  }
}
