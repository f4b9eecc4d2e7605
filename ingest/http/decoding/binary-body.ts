import { BadMessage, type FieldBudget } from '../../parse/binary/protobuf'
import { statedLength, TooLong, unsnappy } from '../../parse/binary/snappy'
import { type Problem, problem } from '../problem'
import { nextImmediate } from './decode-text'

/** The largest body in Protocol Buffers, on the wire and after decompression. Their clients send less than 4 MiB. */
export const binarySizes = { wireBytesMax: 16 * 2 ** 20, inflatedBytesMax: 16 * 2 ** 20 }

const malformed = problem('malformed_body', 'The body is not the message that its content type says.')
const tooLarge = problem(
  'payload_too_large',
  `A body may have ${binarySizes.inflatedBytesMax} bytes inflated. Send it in parts.`,
)
const tooManyLines = problem('payload_too_large', 'The body has too many records. Send it in parts.')
/** How long to read before other work may run, in milliseconds. */
const turnMs = 10
/** Resources, scopes and streams have a few fields beside their lines. */
const fieldsPerLine = 4

/** Joins the lines that a reader finds in a binary body. It stops at one line too many. */
export async function joinLines(
  bytes: Uint8Array,
  linesIn: (bytes: Uint8Array, outer: FieldBudget) => Generator<string | null>,
  { linesMax }: { readonly linesMax: number },
  turn: () => Promise<void> = nextImmediate,
): Promise<string | Problem> {
  const read: string[] = []
  let length = 0
  let began = performance.now()
  try {
    for (const line of linesIn(bytes, { left: fieldsPerLine * linesMax })) {
      if (line !== null) {
        length += line.length
        if (length > 4 * binarySizes.inflatedBytesMax) return tooLarge
        if (read.push(line) > linesMax) return tooManyLines
      }
      if (performance.now() - began < turnMs) continue
      await turn()
      began = performance.now()
    }
  } catch (error) {
    if (error instanceof BadMessage) return malformed
    throw error
  }
  return read.join('\n')
}

/** Returns the bytes in a block of Snappy, or why it cannot be read. */
export function decompressed(block: Uint8Array): Uint8Array | Problem {
  if (block.length === 0) return block
  try {
    return unsnappy(block, binarySizes.inflatedBytesMax)
  } catch (error) {
    if (error instanceof TooLong) return tooLarge
    if (error instanceof BadMessage) return malformed
    throw error
  }
}

/** Returns the bytes that a block of Snappy says it has decompressed. 0 if it does not say, which its reader refuses. */
export function statedBytes(block: Uint8Array): number {
  try {
    return Math.min(statedLength(block).length, binarySizes.inflatedBytesMax)
  } catch {
    return 0
  }
}
