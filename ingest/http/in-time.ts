/**
 * Waits at most this many milliseconds and returns the result, or null after a timeout. `rescue` handles a
 * failure. Without it, the failure is thrown.
 */
export type InTime = <Value, Made>(
  promise: Promise<Value>,
  msMax: number,
  make: (value: Value | null) => Made,
  rescue?: () => Made,
) => Promise<Made>

interface Waiting {
  readonly until: number
  giveUp(nothing: null): void
}

/**
 * Limits the time of many tasks with one timer, which stops when nothing waits. One timer per request would
 * cost more than the request itself. The time is checked at each tick, so a wait may end a tick early.
 */
export function createInTime(now: () => Date, everyMs: number): InTime {
  const waiting = new Set<Waiting>()
  let timer: ReturnType<typeof setInterval> | undefined
  let at = Number.NaN

  function look() {
    at = now().getTime()
    for (const each of waiting) if (each.until < at && waiting.delete(each)) each.giveUp(null)
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function start() {
    at = now().getTime()
    return setInterval(look, everyMs)
  }

  return (promise, msMax, make, rescue) => {
    timer ??= start()
    const { promise: made, resolve, reject } = Promise.withResolvers<ReturnType<typeof make>>()
    const mine: Waiting = { until: at + msMax, giveUp: () => resolve(make(null)) }
    waiting.add(mine)
    promise.then(
      (value) => {
        if (waiting.delete(mine)) resolve(make(value))
      },
      (error) => {
        waiting.delete(mine)
        if (rescue) resolve(rescue())
        else reject(error)
      },
    )
    return made
  }
}
