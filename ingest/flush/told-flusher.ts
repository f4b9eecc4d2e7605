import type { Flushed, Flusher, FlusherOptions } from './flusher'
import type { Fault } from './flusher-messages'

/** What the flushing process reports to the accepting one. */
export interface FlushNews {
  readonly flushed: readonly Flushed[]
  /** Why hits wait; null while they do not. */
  readonly fault: Fault | null
}

export interface ToldFlusher {
  /** Makes the stand-in for the flusher of another process. */
  create(options: Pick<FlusherOptions, 'onFlushed'>): Flusher
  tell(news: FlushNews): void
}

/** Without news for so long, the other process is stalled or gone. */
const silentMs = 5_000
const silent: Fault = {
  of: 'gateway',
  reason: 'The gateway process does not answer; hits wait in the journal',
}

/**
 * Represents a flusher in another process, which owns the store. Both share only the segments folder. Its reports are
 * for `/readyz` and `/metrics`.
 */
export function createToldFlusher(now: () => Date): ToldFlusher {
  let toldAt = performance.now()
  let fault: Fault | null = null
  let since = now()
  let onFlushed: FlusherOptions['onFlushed']
  return {
    create(options) {
      onFlushed = options.onFlushed
      return {
        look() {},
        async drain() {},
        trouble() {
          const silentFor = performance.now() - toldAt
          if (silentFor > silentMs) return { ...silent, since: new Date(now().getTime() - silentFor) }
          return fault && { ...fault, since }
        },
        async stop() {},
      }
    },
    tell(news) {
      toldAt = performance.now()
      if ((news.fault === null) !== (fault === null)) since = now()
      fault = news.fault
      for (const each of news.flushed) onFlushed?.(each)
    },
  }
}
