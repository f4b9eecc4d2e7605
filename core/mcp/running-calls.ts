import type { Work } from '../work/scope'
import { isObject } from './sdk-request'

/**
 * The tool calls that are running, so that a client can cancel one. Revisions up to 2025-11-25 cancel by a message of its own,
 * which names only the id of the request. Clients of one credential may use the same ids: then none is cancelled.
 */
export interface RunningCalls {
  /** Runs the call of a body. A later cancellation by the same credential reaches its work. */
  track<T>(credential: string, body: unknown, work: Work, run: () => Promise<T>): Promise<T>
  /** Cancels the call that a body names, if it is a cancellation. */
  cancel(credential: string, body: unknown): void
}

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, Set<Work>>()
  return {
    track(credential, body, work, run) {
      const answer = run()
      const key = isObject(body) ? keyOf(credential, body.id) : null
      if (key === null) return answer
      const same = running.get(key) ?? new Set()
      running.set(key, same.add(work))
      const ended = () => {
        same.delete(work)
        if (same.size === 0 && running.get(key) === same) running.delete(key)
      }
      answer.then(ended, ended)
      return answer
    },
    cancel(credential, body) {
      if (!isObject(body) || body.method !== 'notifications/cancelled' || !isObject(body.params)) return
      const key = keyOf(credential, body.params.requestId)
      const [work, ...others] = (key !== null && running.get(key)) || []
      if (work && others.length === 0) work.cancel()
    },
  }
}

const keyOf = (credential: string, id: unknown): string | null =>
  (typeof id === 'string' && id.length < 100) || Number.isSafeInteger(id)
    ? `${credential} ${JSON.stringify(id)}`
    : null
