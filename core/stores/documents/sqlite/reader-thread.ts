import type { SqlValue } from '../../../query/to-sqlite'
import { CancelledError, TimedOutError, type Work } from '../../../work/scope'
import { UnavailableError } from '../port'
import { stopMessages } from './interrupt'

/** The requests that a reader thread accepts. */
export type ReadRequest =
  | { readonly kind: 'rows'; readonly sql: string; readonly params: readonly SqlValue[] }
  | {
      readonly kind: 'page'
      readonly sql: string
      readonly params: readonly SqlValue[]
      readonly limit: number | undefined
    }
  | { readonly kind: 'checkpoint' | 'check' | 'purge' }
  | { readonly kind: 'backup'; readonly to: string }

export type Message =
  | { readonly kind: 'open'; readonly path: string; readonly cancelled: Int32Array }
  | { readonly kind: 'ask'; readonly id: number; readonly question: ReadRequest; readonly forMs: number }
  | { readonly kind: 'close' }
export type ReadAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | 'closed'

/** A thread with its own connection that answers one request at a time. */
export interface ReaderThread {
  readonly isBusy: boolean
  /** Sends a request. Resolves when the thread is free again, also for a cancelled request. */
  ask(question: ReadRequest, work: Pick<Work, 'signal' | 'leftMs'>): Promise<unknown>
  close(): Promise<void>
}

/** The largest time that fits into a message. */
const foreverMs = 2 ** 31

/** Starts a thread for a database file. Calls `failed` if the thread ends. */
export function startThread(path: string, failed: () => void): ReaderThread {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url).href)
  const post = (message: Message) => worker.postMessage(message)
  let lastId = 0
  let asked: { resolve(value: unknown): void; reject(error: Error): void } | null = null
  let closing: (() => void) | null = null

  worker.onmessage = ({ data }: MessageEvent<ReadAnswer>) => {
    worker.unref()
    if (data === 'closed') return closing?.()
    const answering = asked
    asked = null
    if ('error' in data) answering?.reject(errorOf(data.error))
    else answering?.resolve(data.value)
  }
  worker.onerror = ({ message }) => {
    failed()
    asked?.reject(new UnavailableError(`The reader failed: ${message}`))
    asked = null
    closing?.()
  }
  post({ kind: 'open', path, cancelled })
  return {
    get isBusy() {
      return asked !== null
    },
    async ask(question, { signal, leftMs }) {
      const id = ++lastId
      const cancel = () => Atomics.store(cancelled, 0, id)
      const answer = new Promise<unknown>((resolve, reject) => {
        asked = { resolve, reject }
      })
      worker.ref()
      post({ kind: 'ask', id, question, forMs: Math.min(leftMs(), foreverMs) })
      signal?.addEventListener('abort', cancel)
      if (signal?.aborted) cancel()
      try {
        const value = await answer
        // The statement may have ended just before it could be stopped.
        if (signal?.aborted) throw new CancelledError()
        return value
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        closing = resolve
      })
      worker.ref()
      post({ kind: 'close' })
      await closed
      worker.terminate()
    },
  }
}

function errorOf(message: string): Error {
  if (message === stopMessages.cancelled) return new CancelledError()
  if (message === stopMessages.late) return new TimedOutError(true)
  if (message === stopMessages.starved) return new TimedOutError(false)
  return new Error(message)
}
