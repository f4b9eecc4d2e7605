import { join } from 'node:path'
import type { ClaimBatches, ColumnsTarget, Log } from 'renown/contracts'
import { dayMs } from 'renown/contracts'
import { systemFiles } from '../journal/files'
import { doneDirectory } from '../journal/journal'
import { openedAt } from '../journal/segment-folder'
import { reasonOf } from './flush-faults'
import type { Flushed, FlushFault, FromWorker, ToWorker } from './flusher-messages'

export interface FlusherOptions {
  /** The journal's folder. */
  readonly directory: string
  readonly target: ColumnsTarget
  readonly now: () => Date
  readonly log: Log
  /** Called after each segment that was stored in ClickHouse. */
  readonly onFlushed?: (flushed: Flushed) => void
  /** Claims batches, if several processes count. */
  readonly claim?: ClaimBatches | undefined
  readonly pollMs?: number
  /** How long finished segments are kept, to recognize repeated batches after a start. */
  readonly keepDoneMs?: number
  readonly doneBytesMax?: number
}

export type { Flushed } from './flusher-messages'

/** Why hits wait, and since when. */
export interface Trouble extends FlushFault {
  readonly since: Date
}

export interface Flusher {
  /** Checks for closed segments now instead of at the next poll. */
  look(): void
  /** Resolves when all currently closed segments are in ClickHouse, however long it is unavailable. */
  drain(): Promise<void>
  /** Why hits wait, or null. */
  trouble(): Trouble | null
  /** Stops after the running statement. The rest waits in the journal. */
  stop(): Promise<void>
}

const sweepMs = 10 * 60_000
const respawnMs = 1_000
/** After this time, a Worker that has not ended is left running, because killing it aborts chDB and the process. */
const stopMs = 8_000

interface State {
  readonly options: FlusherOptions
  worker: Worker | undefined
  readonly ended: PromiseWithResolvers<void>
  readonly drains: Map<number, () => void>
  drainId: number
  trouble: Trouble | null
  stopped: boolean
}

/** Starts the flusher's Worker. It shares only the segments folder with the accepting thread. */
export function createFlusher(options: FlusherOptions): Flusher {
  const state: State = {
    options,
    worker: undefined,
    ended: Promise.withResolvers<void>(),
    drains: new Map<number, () => void>(),
    drainId: 0,
    trouble: null,
    stopped: false,
  }
  spawn(state)
  const sweeping = setInterval(() => void sweepDone(options), sweepMs)
  sweeping.unref()
  void sweepDone(options)
  return {
    look: () => sendToWorker(state, { do: 'look' }),
    trouble: () => state.trouble,
    drain() {
      if (state.stopped) return Promise.reject(new Error('The flusher has stopped'))
      const drained = Promise.withResolvers<void>()
      const id = ++state.drainId
      state.drains.set(id, drained.resolve)
      sendToWorker(state, { do: 'drain', id })
      return drained.promise
    },
    async stop() {
      clearInterval(sweeping)
      if (!state.stopped) {
        state.stopped = true
        sendToWorker(state, { do: 'stop' })
      }
      await Promise.race([state.ended.promise, new Promise((end) => setTimeout(end, stopMs).unref())])
    },
  }
}

function spawn(state: State) {
  const { directory, target, log, pollMs = 200, claim } = state.options
  const worker = new Worker(new URL('./flusher-worker.ts', import.meta.url).href)
  state.worker = worker
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(state, data)
  worker.onerror = (event) => log.error('The flusher failed', { reason: event.message })
  worker.addEventListener('close', () => {
    if (state.stopped) return state.ended.resolve()
    // The segments are still there, whatever ended the Worker. A new one finds them and checks the receipts
    // first.
    log.error('The flusher ended unexpectedly and is being restarted')
    setTimeout(() => (state.stopped ? state.ended.resolve() : spawn(state)), respawnMs)
  })
  sendToWorker(state, { do: 'start', directory, target, pollMs, claims: claim !== undefined })
  for (const id of state.drains.keys()) sendToWorker(state, { do: 'drain', id })
}

const sendToWorker = (state: State, message: ToWorker) => state.worker?.postMessage(message)

function hear(state: State, message: FromWorker) {
  const { log, onFlushed } = state.options
  if (message.say === 'log') log[message.level](message.message, message.fields)
  else if (message.say === 'flushed') onFlushed?.(message)
  else if (message.say === 'trouble') {
    const { trouble } = message
    state.trouble = trouble && { ...trouble, since: state.trouble?.since ?? state.options.now() }
  } else if (message.say === 'claim') {
    void claimFor(state, message.ask, message.segment, message.ids)
  } else if (message.say === 'drained') {
    state.drains.get(message.id)?.()
    state.drains.delete(message.id)
  } else {
    state.worker?.unref()
    state.ended.resolve()
  }
}

async function claimFor(state: State, ask: number, segment: string, ids: readonly string[]) {
  try {
    sendToWorker(state, { do: 'claimed', ask, taken: (await state.options.claim?.(segment, ids)) ?? [] })
  } catch (error) {
    sendToWorker(state, { do: 'unclaimed', ask, reason: reasonOf(error) })
  }
}

/**
 * Deletes finished segments that are too old, and the oldest ones beyond the size limit. Names begin with the
 * time when they were opened.
 */
async function sweepDone({ directory, now, log, ...options }: FlusherOptions) {
  const { keepDoneMs = dayMs, doneBytesMax = 2 ** 30 } = options
  const folder = doneDirectory(directory)
  const oldest = now().getTime() - keepDoneMs
  try {
    const names = (await systemFiles.list(folder))
      .filter((name) => name.endsWith('.seg'))
      .sort()
      .reverse()
    let bytes = 0
    for (const name of names) {
      bytes += await systemFiles.size(join(folder, name))
      if (openedAt(name) < oldest || bytes > doneBytesMax) await systemFiles.remove(join(folder, name))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') log.warn('Finished segments cannot be deleted', { code })
  }
}
