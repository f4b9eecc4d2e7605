import type { Flushed, Flusher, FlusherOptions } from './flusher'
import type { FlushFault } from './flusher-messages'

/** What the flushing process reports to the accepting one. */
export interface FlushReport {
  readonly flushed: readonly Flushed[]
  /** Why hits wait, or null. */
  readonly fault: FlushFault | null
}

export interface RemoteFlusher {
  /** Creates the representative of another process's flusher. */
  create(options: Pick<FlusherOptions, 'onFlushed'>): Flusher
  report(news: FlushReport): void
}

/** Milliseconds without a report after which the other process counts as stalled or ended. */
const silentMs = 5_000
const silent: FlushFault = {
  of: 'gateway',
  reason: 'The gateway process does not answer; hits wait in the journal',
}

/**
 * Represents a flusher in another process, which owns the store. Both share only the segments folder. Its reports are
 * for `/readyz` and `/metrics`.
 */
export function createRemoteFlusher(now: () => Date): RemoteFlusher {
  let reportedAt = performance.now()
  let fault: FlushFault | null = null
  let since = now()
  let onFlushed: FlusherOptions['onFlushed']
  return {
    create(options) {
      onFlushed = options.onFlushed
      return {
        look() {},
        async drain() {},
        trouble() {
          const silentFor = performance.now() - reportedAt
          if (silentFor > silentMs) return { ...silent, since: new Date(now().getTime() - silentFor) }
          return fault && { ...fault, since }
        },
        async stop() {},
      }
    },
    report(news) {
      reportedAt = performance.now()
      if ((news.fault === null) !== (fault === null)) since = now()
      fault = news.fault
      for (const each of news.flushed) onFlushed?.(each)
    },
  }
}
