/** Waits for something at most until a moment, which is asked for if need be; null when that passed first. */
export type InTime = <T>(promise: Promise<T>, until: () => number) => Promise<T | null>

interface Waiting {
  readonly until: number
  giveUp(): void
}

/**
 * Bounds how long many things may take with one timer, which stands still while nothing is waited for: a timer for
 * each request would cost more than reading it.
 */
export function createInTime(now: () => Date, everyMs: number): InTime {
  const waiting = new Set<Waiting>()
  let timer: ReturnType<typeof setInterval> | undefined

  function look() {
    const at = now().getTime()
    for (const each of waiting) if (each.until < at) each.giveUp()
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return <Value>(promise: Promise<Value>, until: () => number) => {
    // What came with its request is there already.
    if (Bun.peek.status(promise) === 'fulfilled') return promise
    timer ??= setInterval(look, everyMs)
    const { promise: given, resolve, reject } = Promise.withResolvers<Value | null>()
    const mine: Waiting = {
      until: until(),
      giveUp() {
        waiting.delete(mine)
        resolve(null)
      },
    }
    waiting.add(mine)
    promise.then(resolve, reject).finally(() => waiting.delete(mine))
    return given
  }
}
