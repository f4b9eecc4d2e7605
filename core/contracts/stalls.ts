import { createHistogram, gauge, type Metric } from './metrics'
import type { Log } from './owner'

/** How often the event loop was blocked, so that the process answered nothing. */
export interface Stalls {
  readonly count: number
  readonly longest_ms: number
  /** When the last block ended, RFC 3339. Null if there was none. */
  readonly last_at: string | null
}

/** Watches the event loop of this process. */
export interface StallWatch {
  start(): void
  read(): Stalls
  /** Returns the same figures for Prometheus, under names that begin with `renown_<part>_`. */
  metrics(): Metric[]
  stop(): void
}

/** The options of a stall watch. */
export interface StallWatchOptions {
  /** The process, as named in its metrics. */
  readonly part: 'gateway' | 'ingest'
  /** What the log calls the process. Default: its part. */
  readonly called?: string
  readonly now: () => Date
  readonly log: Log
  /** A monotonic clock, in milliseconds. */
  readonly elapsed?: () => number
  /** Calls a function repeatedly until the returned function is called. */
  readonly every?: (ms: number, call: () => void) => () => void
}

/** The shortest block that counts, in milliseconds. */
export const stallMs = 200
const lookMs = 25
const logMs = 60_000
const bounds = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * Creates a watch without starting it. If a timer fires late by more than `stallMs`, the event loop was
 * blocked.
 */
export function createStallWatch({
  part,
  called = part,
  now,
  log,
  elapsed = () => performance.now(),
  every = repeat,
}: StallWatchOptions): StallWatch {
  const seconds = createHistogram(bounds)
  let stalls: Stalls = { count: 0, longest_ms: 0, last_at: null }
  let lookedAt = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged: Stalls = stalls

  const look = () => {
    const at = elapsed()
    const late = at - lookedAt - lookMs
    lookedAt = at
    if (late <= stallMs) return
    seconds.observe(late / 1_000)
    const last_at = now().toISOString()
    stalls = withOne(stalls, late, last_at)
    unlogged = withOne(unlogged, late, last_at)
    if (at - loggedAt < logMs) return
    log.warn(`The event loop of the ${called} was blocked`, {
      times: unlogged.count,
      longest_ms: unlogged.longest_ms,
    })
    loggedAt = at
    unlogged = { count: 0, longest_ms: 0, last_at: null }
  }
  let stop = () => {}
  return {
    start() {
      lookedAt = elapsed()
      stop = every(lookMs, look)
    },
    read: () => stalls,
    metrics: () => [
      {
        name: `renown_${part}_stall_seconds`,
        type: 'histogram',
        help: 'Times for which the event loop was blocked, above 0.2 s.',
        samples: seconds.samples(),
      },
      gauge(`renown_${part}_stall_longest_seconds`, 'The longest of them.', stalls.longest_ms / 1_000),
    ],
    stop: () => stop(),
  }
}

const withOne = ({ count, longest_ms }: Stalls, ms: number, last_at: string): Stalls => ({
  count: count + 1,
  last_at,
  longest_ms: Math.max(longest_ms, Math.round(ms)),
})

function repeat(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms)
  timer.unref()
  return () => clearInterval(timer)
}
