import { AsyncLocalStorage } from 'node:async_hooks'

/** The tenant of work that belongs to no agency: scheduled tasks, commands and starts. */
export const systemTenant = 'system'
/** The tenant of an operator's commands. Queues keep slots of their own for it, so that it never waits behind others. */
export const operatorTenant = 'operator'
/** The tenant of requests without a credential so far. */
const visitorTenant = 'visitor'

/** The processor time that a request took on the event loop, which its sender pays. */
export interface LoopTime {
  /** What was measured and is not paid yet, in milliseconds. */
  ms: number
  /** Who pays. Undefined until somebody is known. */
  payer?: string
  /** Takes what is measured after the answer. */
  pay?: (ms: number) => void
}

/** The tenant of some work, and its time limit. Every read of a store uses it. */
export interface Work {
  /** Agency id. Queues share their slots between tenants. */
  tenant: string
  /** What the work does now, in words for a caller who waits. */
  step?: string
  /** The processor time of a request. Work without one pays nothing. */
  readonly loopTime?: LoopTime
  /** Aborts when the caller no longer waits. Created on first use, because most requests never need it. */
  readonly signal: AbortSignal | undefined
  /** Returns the milliseconds that a read may take, including waiting. */
  leftMs(): number
  /** From now on the time limit applies to each read separately. */
  takeTime(): void
  /**
   * Called before the first write: from now on the work is finished, whatever the caller does. Throws CancelledError if
   * the caller disconnected or cancelled before.
   */
  commit(): void
  /** The caller no longer wants the work. Without effect after `commit`. */
  cancel(): void
  /** Aborts when the caller disconnects or cancels, for requests to other services. */
  waiting(): AbortSignal | undefined
}

/** The work of the product itself, which has no limit. */
export const systemWork: Work = {
  tenant: systemTenant,
  signal: undefined,
  leftMs: () => Number.POSITIVE_INFINITY,
  takeTime: () => {},
  commit: () => {},
  cancel: () => {},
  waiting: () => undefined,
}

/** Creates the work of one command of an operator. It has no limit, and nobody's queue is before it. */
export const operatorWork = (): Work => ({ ...systemWork, tenant: operatorTenant })

const scope = new AsyncLocalStorage<Work>()

/** Runs work for a tenant. Everything it awaits can get it with `currentWork`. */
export const runWork = <T>(work: Work, run: () => T): T => scope.run(work, run)

/** Returns the work that the running code belongs to, or the system's work if there is none. */
export const currentWork = (): Work => scope.getStore() ?? systemWork

/** Says what the running work does now, for a caller who waits. */
export function nowDoing(step: string): void {
  const work = scope.getStore()
  if (work) work.step = step
}

interface RequestWork {
  /** How long a request may read, in milliseconds. */
  readonly limitMs: number
  /** The signal that aborts when the client disconnects. */
  readonly disconnected: () => AbortSignal | undefined
}

/** Creates the work of one request. It belongs to a visitor until the credential is known. */
export function requestWork({ limitMs, disconnected }: RequestWork): Work {
  const began = performance.now()
  let controller: AbortController | undefined
  const state = { isCommitted: false, isPatient: false, isCancelled: false }
  return {
    tenant: visitorTenant,
    loopTime: { ms: 0 },
    get signal() {
      return state.isCommitted ? undefined : disconnected()
    },
    leftMs: () => (state.isPatient ? limitMs : Math.max(0, began + limitMs - performance.now())),
    takeTime: () => {
      state.isPatient = true
    },
    commit: () => {
      if (state.isCommitted) return
      if (state.isCancelled || disconnected()?.aborted) throw new CancelledError()
      state.isCommitted = true
      state.isPatient = true
    },
    cancel: () => {
      state.isCancelled = true
      controller?.abort(new CancelledError())
    },
    waiting: () => {
      if (state.isCommitted) return undefined
      controller ??= new AbortController()
      if (state.isCancelled) controller.abort(new CancelledError())
      return AbortSignal.any([controller.signal, disconnected() ?? []].flat())
    },
  }
}

/** Creates the work of a job or a stream. It ends with its signal and has no other limit. */
export const longWork = (tenant: string, signal: AbortSignal): Work => ({
  tenant,
  signal,
  leftMs: () => Number.POSITIVE_INFINITY,
  takeTime: () => {},
  commit: () => {},
  cancel: () => {},
  waiting: () => signal,
})

/** Thrown if a read took longer than its work allows. */
export class TimedOutError extends Error {
  override readonly name = 'TimedOutError'
  /** Whether the read itself took the time. Otherwise it waited, for its turn or for the processor of a busy machine. */
  readonly wasReading: boolean
  constructor(wasReading: boolean) {
    super(
      wasReading ? 'The read took too long' : 'The read waited too long for its turn or for the processor',
    )
    this.wasReading = wasReading
  }
}

/** The caller disconnected before the answer was ready. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
  constructor() {
    super('The caller disconnected or cancelled before the answer was ready')
  }
}
