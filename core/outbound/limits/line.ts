import { ServiceFault } from '../../contracts/service-fault'
import type { Grant } from './bucket'

/** Callers in one process that wait for a bucket, first come, first served. */
export interface Line {
  /**
   * Resolves when a call may be sent. Throws a `rate` ServiceFault if that would take too long, or if the signal
   * aborts.
   */
  turn(signal?: AbortSignal): Promise<void>
  isEmpty(): boolean
}

interface Waiter {
  go(): void
  refuse(error: unknown): void
}

interface LineDeps {
  readonly take: (wanted: number) => Promise<Grant>
  readonly sleep: (ms: number) => Promise<unknown>
}

/** A job that would have to wait longer is rescheduled. */
const waitMaxMs = 60_000
/** The same limit if the service asked to wait, because no other call can be sent to it either. */
const closedWaitMaxMs = 10_000

/** Gets calls for all waiting callers at once, with one request to the store. */
export function createLine({ take, sleep }: LineDeps): Line {
  const waiting: Waiter[] = []
  let isServing = false
  const refuseAll = (error: unknown) => {
    for (const waiter of waiting.splice(0)) waiter.refuse(error)
  }
  const serve = async () => {
    isServing = true
    try {
      while (waiting.length > 0) {
        const { granted, waitMs, isClosed } = await take(waiting.length)
        for (const waiter of waiting.splice(0, granted)) waiter.go()
        if (granted > 0) continue
        if (waitMs > (isClosed ? closedWaitMaxMs : waitMaxMs)) refuseAll(tooFast(waitMs))
        else await sleep(waitMs)
      }
    } catch (error) {
      refuseAll(error)
    } finally {
      // In the same step as the last look: a caller that came between the two would wait for nobody.
      isServing = false
    }
  }
  return {
    isEmpty: () => waiting.length === 0,
    turn: (signal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const leave = () => {
          const at = waiting.indexOf(waiter)
          if (at >= 0) waiting.splice(at, 1)
          reject(signal?.reason)
        }
        const done = () => signal?.removeEventListener('abort', leave)
        const waiter: Waiter = {
          go: () => {
            done()
            resolve()
          },
          refuse: (error) => {
            done()
            reject(error)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(waiter)
        if (!isServing) void serve()
      }),
  }
}

const tooFast = (retryAfterMs: number) =>
  new ServiceFault('rate', `The platform's rate limit is used up for ${Math.ceil(retryAfterMs / 1_000)} s`, {
    code: 'paced',
    retryAfterMs,
  })
