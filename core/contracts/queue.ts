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
  /** 1 the first time. */
  readonly attempt: number
  /** Aborts when the lease is lost or the product stops: another process may begin then. */
  readonly signal: AbortSignal
  /** What `save` kept in an earlier attempt, else `{}`. */
  readonly saved: Readonly<Record<string, unknown>>
  /**
   * Resolves while this process holds the job, and throws when it no longer does. Ask right before anything outside that
   * cannot be undone.
   */
  hold(): Promise<void>
  /** Tells how far it is. Throws like `hold`. */
  progress(at: Progress): Promise<void>
  /** Keeps what the next attempt must know, such as the id of something begun outside. Throws like `hold`. */
  save(state: Readonly<Record<string, unknown>>): Promise<void>
}

/**
 * A queue of durable jobs. A job runs at least once, in one process at a time, so its outside effects must be
 * repeatable or checked first. A `ServiceFault` that it throws decides what follows. Any other error is retried.
 */
export interface QueueDeclaration<P extends GenericSchema = GenericSchema> {
  readonly summary: string
  /** The payload of a job: a `v.strictObject` of plain JSON. */
  readonly payload: P
  /** Tries before it is given up; waiting for a quota is none. 8 unless said otherwise. */
  readonly attemptsMax?: number
  /** Jobs of this kind that one process runs at once for one agency, and eight times as many for all. Default 1. */
  readonly atOnce?: number
  run(ctx: OwnerContext, payload: InferOutput<P>, task: Task): Promise<void>
  /** Called before a job ends as failed, perhaps more than once. */
  buried?(ctx: OwnerContext, payload: InferOutput<P>, error: FaultInfo, task: BuriedTask): Promise<void>
}

/** A job that became a dead letter. */
export type BuriedTask = Pick<Task, 'id' | 'workspace_id' | 'attempt' | 'saved'>

/** A queue of any payload. */
// biome-ignore lint/suspicious/noExplicitAny: the registry holds queues of any payload
export type AnyQueue = QueueDeclaration<any>
