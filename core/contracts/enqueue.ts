import type { GenericSchema, InferInput } from 'valibot'

/** A job to put into a queue. */
export interface EnqueueOptions<P> {
  readonly workspace_id: string
  readonly payload: P
  /** A workspace has at most one job of a queue and key that waits or runs. A second one returns the first. */
  readonly key?: string
  /** Not before this instant. */
  readonly runAt?: Date
}

/** The result of putting a job into a queue. */
export interface Enqueued {
  readonly job_id: string
  /** A job of this key was waiting or running already. */
  readonly deduplicated: boolean
}

/**
 * Puts a job into a queue, by the queue's name. Throws when no plugin declares the queue or the payload does not
 * match its schema.
 */
export type Enqueue = <P extends GenericSchema = GenericSchema>(
  queue: string,
  job: EnqueueOptions<InferInput<P>>,
) => Promise<Enqueued>
