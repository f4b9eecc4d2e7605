import { lokiLines } from '../../parse/binary/loki-push'
import { otlpLines } from '../../parse/binary/otlp-logs'
import type { Problem } from '../problem'
import { decompressed, joinLines } from './binary-body'
import { decodeText } from './decode-text'
import type { DecodeJob } from './decoder-messages'

/** Returns the text of a body, or the lines of a message, one in each line. */
export async function decodeBody(
  { form, bytes, linesMax }: Omit<DecodeJob, 'id'>,
  turn?: () => Promise<void>,
): Promise<string | Problem> {
  if (form === 'text') return decodeText(bytes, turn)
  if (form === 'otlp') return joinLines(bytes, otlpLines, { linesMax }, turn)
  const message = decompressed(bytes)
  return message instanceof Uint8Array ? joinLines(message, lokiLines, { linesMax }, turn) : message
}
