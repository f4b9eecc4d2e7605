import { startWork } from '../../count/measured-work'
import { lokiLines } from '../../parse/binary/loki-push'
import { otlpLines } from '../../parse/binary/otlp-logs'
import { decompressed, joinLines } from './binary-body'
import { decodeText, nextImmediate } from './decode-text'
import type { Decoded, DecodeJob } from './decoder-messages'

declare const self: Worker

/** The thread that decodes large bodies. Bodies take turns in it. */
self.onmessage = async ({ data }: MessageEvent<DecodeJob>) => {
  const work = startWork(nextImmediate)
  let decoded: Decoded['decoded']
  try {
    decoded = await decode(data, work.turn)
  } catch (error) {
    decoded = { failed: String(error) }
  }
  const answer: Decoded = { id: data.id, decoded, ms: work.spent() }
  self.postMessage(answer)
}

function decode(job: DecodeJob, turn: () => Promise<void>) {
  if (job.form === 'text') return decodeText(job.bytes, turn)
  if (job.form === 'otlp') return joinLines(job.bytes, otlpLines, job, turn)
  const message = decompressed(job.bytes)
  return message instanceof Uint8Array ? joinLines(message, lokiLines, job, turn) : message
}
