import { Refusal } from '../contracts/errors'

/** Calls of tools and operations that one credential may have running in this process, over MCP and HTTP together. */
export const callsMax = 100

/**
 * Limits how many calls of a credential run at the same time. Limits per minute do not, because a call that waits for a
 * language model stays open for a minute and more. A call counts until its work ends, even if its client is gone.
 */
export interface CallSlots {
  /** Runs a call. Throws a Refusal if too many calls of the credential are running. */
  run<T>(credential: string, call: () => Promise<T>): Promise<T>
}

export function createCallSlots(): CallSlots {
  const running = new Map<string, number>()
  return {
    async run(credential, call) {
      const before = running.get(credential) ?? 0
      if (before >= callsMax) throw crowded()
      running.set(credential, before + 1)
      try {
        return await call()
      } finally {
        const left = (running.get(credential) ?? 1) - 1
        if (left === 0) running.delete(credential)
        else running.set(credential, left)
      }
    },
  }
}

const crowded = () =>
  new Refusal('quota_exceeded', `${callsMax} calls of this credential are still running.`, {
    retryAfterSeconds: 5,
    hint: 'Wait until some of them end, or cancel them.',
    extra: { 'violated-policies': ['concurrent-calls'] },
  })
