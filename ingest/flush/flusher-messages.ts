import type { ColumnsTarget } from 'renown/contracts'

/** A segment that is now in ClickHouse. */
export interface Flushed {
  readonly hits: number
  /** Hits that another process counts. */
  readonly elsewhere: number
  readonly segment: string
  /** Duration at ClickHouse, in milliseconds. */
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
  /** Segments were closed. Check for them now. */
  | { readonly do: 'look' }
  /** Report when all currently closed segments are in ClickHouse. */
  | { readonly do: 'drain'; readonly id: number }
  /** The answer to the claim request with the same number: the ids, or an error. */
  | { readonly do: 'claimed'; readonly ask: number; readonly taken: readonly string[] }
  | { readonly do: 'unclaimed'; readonly ask: number; readonly reason: string }
  | { readonly do: 'stop' }

/** A message from the Worker to the accepting thread. */
export type FromWorker =
  | ({ readonly say: 'flushed' } & Flushed)
  /** Asks which of these batches other processes count. */
  | {
      readonly say: 'claim'
      readonly ask: number
      readonly segment: string
      readonly ids: readonly string[]
    }
  | { readonly say: 'drained'; readonly id: number }
  /** All work has ended and the connection is closed. */
  | { readonly say: 'stopped' }
  | {
      readonly say: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Record<string, unknown>
    }
  /** Why segments cannot be stored, or null if they can again. */
  | { readonly say: 'trouble'; readonly trouble: FlushFault | null }
