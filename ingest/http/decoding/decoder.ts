import { isUtf8 } from 'node:buffer'
import { type Problem, problem } from '../problem'
import { decodeBody } from './decode-body'
import type {
  BodyForm,
  Decoded,
  DecodeJob,
  Inflated,
  InflatedBody,
  InflateJob,
  Packing,
} from './decoder-messages'

/** A decoded body, with the processor time that it took, in milliseconds. */
export interface DecodedBody {
  readonly decoded: string | Problem
  readonly ms: number
}

/** Decodes bodies, large ones in a thread of its own. */
export interface Decoder {
  /** Decodes bytes, which nobody may use afterwards. */
  decode(form: BodyForm, bytes: Uint8Array, linesMax: number): Promise<DecodedBody>
  /** Decompresses a body to at most the given number of bytes. The bytes stay with the caller. */
  inflate(packing: Packing, bytes: Uint8Array, bytesMax: number): Promise<Inflated | Problem>
}

/** Shorter bodies take a few milliseconds at most, whatever they contain. */
const shortBytes = 32 * 1024
/** UTF-8 of this size is decoded in 4 ms. Bytes that are none take 20 times as long. */
const validBytes = 4 * 2 ** 20
const utf8 = new TextDecoder()
/** The thread ends when it had no work for so long, which frees its memory. */
const idleMs = 30_000

const failed = problem('unavailable', 'The body could not be decoded now. Send it again.', 1)

type Answer = Decoded | InflatedBody

/** Creates the decoder. Its thread starts with the first large body. */
export function createDecoder(): Decoder {
  const jobs = new Map<number, (answer: Answer | null) => void>()
  let worker: Worker | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let lastId = 0

  function started(): Worker {
    if (worker) return worker
    const made = new Worker(new URL('./decode-worker.ts', import.meta.url).href)
    made.onmessage = ({ data }: MessageEvent<Answer>) => {
      jobs.get(data.id)?.(data)
      jobs.delete(data.id)
      if (jobs.size === 0) rest(made)
    }
    made.onerror = () => made.terminate()
    made.addEventListener('close', () => {
      if (worker !== made) return
      worker = undefined
      // Their senders send them again.
      for (const answer of jobs.values()) answer(null)
      jobs.clear()
    })
    worker = made
    return made
  }

  /** The thread does not keep the process, and ends if nothing comes. */
  function rest(thread: Worker) {
    thread.unref()
    clearTimeout(idle)
    idle = setTimeout(() => {
      if (jobs.size === 0 && worker === thread) thread.terminate()
    }, idleMs)
    idle.unref()
  }

  function send(job: Omit<DecodeJob, 'id'> | Omit<InflateJob, 'id'>, given: ArrayBuffer[]) {
    const { promise, resolve } = Promise.withResolvers<Answer | null>()
    const id = ++lastId
    jobs.set(id, resolve)
    const thread = started()
    thread.ref()
    thread.postMessage({ ...job, id }, given)
    return promise
  }

  return {
    async decode(form, bytes, linesMax) {
      if (form === 'text' && bytes.length <= validBytes && isUtf8(bytes))
        return { decoded: utf8.decode(bytes), ms: 0 }
      if (bytes.length <= shortBytes) return { decoded: await decodeBody({ form, bytes, linesMax }), ms: 0 }
      // A view of a larger buffer, such as the pool of small ones, cannot be given away.
      const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
      const answer = await send({ form, bytes: own, linesMax }, [own.buffer as ArrayBuffer])
      if (!answer || !('decoded' in answer)) return { decoded: failed, ms: 0 }
      const { decoded, ms } = answer
      return { decoded: typeof decoded === 'object' && 'failed' in decoded ? failed : decoded, ms }
    },
    async inflate(packing, bytes, bytesMax) {
      const answer = await send({ packing, bytes, bytesMax }, [])
      return answer && 'inflated' in answer ? answer.inflated : failed
    },
  }
}
