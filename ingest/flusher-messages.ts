import type { ColumnsTarget } from 'renown/contracts'

/** What the accept loop tells the flusher's Worker. */
export type ToWorker =
  | {
      readonly do: 'start'
      readonly directory: string
      readonly target: ColumnsTarget
      readonly pollMs: number
    }
  /** Segments were closed: look now. */
  | { readonly do: 'look' }
  /** Answer once everything that is closed now stands in ClickHouse. */
  | { readonly do: 'drain'; readonly id: number }
  | { readonly do: 'stop' }

/** What the Worker tells the accept loop. */
export type FromWorker =
  | { readonly say: 'flushed'; readonly hits: number; readonly segment: string; readonly ms: number }
  | { readonly say: 'drained'; readonly id: number }
  /** Nothing is under way any more and the connection is closed. */
  | { readonly say: 'stopped' }
  | {
      readonly say: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Record<string, unknown>
    }
  /** Why ClickHouse takes nothing, or null once it does again. */
  | { readonly say: 'trouble'; readonly reason: string | null }
