import { type Problem, problem } from '../problem'
import { decodeText } from './decode-text'
import type { BodyForm, Decoded, DecodeJob } from './decoder-messages'

/** A decoded body, with the processor time that it took, in milliseconds. */
export interface DecodedBody {
  readonly decoded: string | Problem
  readonly ms: number
}

/** Decodes bodies, large ones in a thread of its own. */
export interface Decoder {
  /** Decodes bytes, which nobody may use afterwards. */
  decode(form: BodyForm, bytes: Uint8Array, linesMax: number): Promise<DecodedBody>
}

/** Shorter texts take less than a millisecond, even if they are no UTF-8. */
const shortBytes = 32 * 1024
/** The thread ends when it had no work for so long, which frees its memory. */
const idleMs = 30_000

const failed = problem('unavailable', 'The body could not be decoded now. Send it again.', 1)

/** Creates the decoder. Its thread starts with the first large body. */
export function createDecoder(): Decoder {
  const jobs = new Map<number, (answer: Pick<Decoded, 'decoded' | 'ms'>) => void>()
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let lastId = 0

  function started(): Worker {
    if (worker) return worker
    const made = new Worker(new URL('./decode-worker.ts', import.meta.url).href)
    made.onmessage = ({ data }: MessageEvent<Decoded>) => {
      jobs.get(data.id)?.(data)
      jobs.delete(data.id)
      if (jobs.size > 0) return
      made.unref()
      clearTimeout(idle)
      idle = setTimeout(() => {
        if (jobs.size === 0 && worker === made) made.terminate()
      }, idleMs)
      idle.unref()
    }
    made.onerror = () => made.terminate()
    made.addEventListener('close', () => {
      if (worker !== made) return
      worker = undefined
      // Their senders send them again.
      for (const answer of jobs.values()) answer({ decoded: { failed: 'The thread ended' }, ms: 0 })
      jobs.clear()
    })
    worker = made
    return made
  }

  return {
    async decode(form, bytes, linesMax) {
      if (form === 'text' && bytes.length <= shortBytes) return { decoded: await decodeText(bytes), ms: 0 }
      const { promise, resolve } = Promise.withResolvers<Pick<Decoded, 'decoded' | 'ms'>>()
      const id = ++lastId
      jobs.set(id, resolve)
      const thread = started()
      thread.ref()
      // A view of a larger buffer, such as the pool of small ones, cannot be given away.
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
      const job: DecodeJob = { id, form, bytes: own, linesMax }
      thread.postMessage(job, [own.buffer as ArrayBuffer])
      const { decoded, ms } = await promise
      return { decoded: typeof decoded === 'object' && 'failed' in decoded ? failed : decoded, ms }
    },
  }
}
