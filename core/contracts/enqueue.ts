import type { GenericSchema, InferInput } from 'valibot'

/** A job to put into a queue. */
export interface EnqueueOptions<P> {
  readonly workspace_id: string
  readonly payload: P
  /**
   * A workspace has at most one waiting or running job per queue and key. Enqueuing a second one returns the
   * first.
   */
  readonly key?: string
  /** The earliest time at which the job runs. */
  readonly runAt?: Date
}

/** The result of putting a job into a queue. */
export interface Enqueued {
  readonly job_id: string
  /** True if a job with this key was already waiting or running. */
  readonly deduplicated: boolean
}

/**
 * Puts a job into the queue with this name. Throws if no plugin declares the queue, or if the payload does
 * not match its schema.
 */
export type Enqueue = <P extends GenericSchema = GenericSchema>(
  queue: string,
  job: EnqueueOptions<InferInput<P>>,
) => Promise<Enqueued>
