import type { ColumnsTarget } from 'renown/contracts'

/** A segment that is now in ClickHouse. */
export interface Flushed {
  readonly hits: number
  /** Hits that were left out because another process counts their batches. */
  readonly elsewhere: number
  readonly segment: string
  /** How long ClickHouse took. */
  readonly ms: number
}

/** Why segments wait. */
export interface FlushFault {
  readonly of: 'clickhouse' | 'gateway'
  readonly reason: string
}

/** A message from the accepting thread to the flusher's Worker. */
export type ToWorker =
  | {
      readonly do: 'start'
      readonly directory: string
      readonly target: ColumnsTarget
      readonly pollMs: number
      /** Whether batches are claimed before they are counted. */
      readonly claims: boolean
    }
  /** Segments were closed: look now. */
  | { readonly do: 'look' }
  /** Answer once everything that is closed now stands in ClickHouse. */
  | { readonly do: 'drain'; readonly id: number }
  /** The answer to a question of the same number: what others count, or why nobody can say. */
  | { readonly do: 'claimed'; readonly ask: number; readonly taken: readonly string[] }
  | { readonly do: 'unclaimed'; readonly ask: number; readonly reason: string }
  | { readonly do: 'stop' }

/** A message from the Worker to the accepting thread. */
export type FromWorker =
  | ({ readonly say: 'flushed' } & Flushed)
  /** Which of these batches do others count? */
  | {
      readonly say: 'claim'
      readonly ask: number
      readonly segment: string
      readonly ids: readonly string[]
    }
  | { readonly say: 'drained'; readonly id: number }
  /** Nothing is under way any more and the connection is closed. */
  | { readonly say: 'stopped' }
  | {
      readonly say: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Record<string, unknown>
    }
  /** Why nothing gets into ClickHouse and who is at fault, or null once it does again. */
  | { readonly say: 'trouble'; readonly trouble: FlushFault | null }
