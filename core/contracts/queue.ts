import type { GenericSchema, InferOutput } from 'valibot'
import type { OwnerContext } from './owner'
import type { FaultInfo } from './service-fault'

/** The progress of a job, for people. */
export interface Progress {
  readonly done: number
  readonly total?: number
  readonly note?: string
}

/** The running job, as its code sees it. */
export interface Task {
  readonly id: string
  readonly workspace_id: string
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** Aborts when the lease is lost or the product stops. Another process may then start the job. */
  readonly signal: AbortSignal
  /** The state that `save` stored in an earlier attempt. Empty in the first. */
  readonly saved: Readonly<Record<string, unknown>>
  /**
   * Resolves while this process holds the job, and throws if it no longer does. Call it right before any
   * outside action that cannot be undone.
   */
  hold(): Promise<void>
  /** Reports progress. Throws like `hold`. */
  progress(at: Progress): Promise<void>
  /** Stores state for the next attempt, such as the id of something started outside. Throws like `hold`. */
  save(state: Readonly<Record<string, unknown>>): Promise<void>
}

/**
 * A queue of durable jobs. A job runs at least once, in one process at a time, so its outside effects must be
 * repeatable or checked first. The kind of a thrown `ServiceFault` decides whether the job is retried. Any
 * other error is retried.
 */
export interface QueueDeclaration<P extends GenericSchema = GenericSchema> {
  readonly summary: string
  /** The payload of a job: a `v.strictObject` of plain JSON. */
  readonly payload: P
  /** Attempts before the job fails for good. Waiting for a quota, or for a store of
   * the installation, does not count. Default: 8. */
  readonly attemptsMax?: number
  /**
   * How many jobs of this queue one process runs at the same time for one agency. It runs up to eight times
   * as many for all agencies. Default: 1.
   */
  readonly atOnce?: number
  run(ctx: OwnerContext, payload: InferOutput<P>, task: Task): Promise<void>
  /** Called before a job becomes a dead letter. May be called more than once. */
  onDeadLetter?(ctx: OwnerContext, payload: InferOutput<P>, error: FaultInfo, task: DeadLetter): Promise<void>
}

/** A job that became a dead letter. */
export type DeadLetter = Pick<Task, 'id' | 'workspace_id' | 'attempt' | 'saved'>

/** A queue with any payload. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds queues of any payload
export type AnyQueue = QueueDeclaration<any>
