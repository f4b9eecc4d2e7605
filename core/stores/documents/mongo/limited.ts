import type { AnyEntity } from '../../../contracts/entity'
import { createFairQueue, type FairQueue } from '../../../work/fair-queue'
import { offLoop } from '../../../work/loop-turns'
import { CancelledError, currentWork, TimedOutError } from '../../../work/scope'
import { UnavailableError } from '../port'
import { guarded, NoAnswerError } from './errors'
import type { Link } from './link'

/** Maximum duration of a read in MongoDB, in milliseconds. Longer than an election takes. */
const readMs = 15_000
const maxTimeExpired = 50

/** Driver options of a read, so that the server stops it when its request ends. */
export interface ReadLimits {
  readonly maxTimeMS: number
  readonly signal?: AbortSignal
}

/** Simultaneous scans of one process. */
export const scanSlots = 20

/** Creates the queue that shares this process's connections between tenants that scan. */
export const createScans = (): FairQueue =>
  createFairQueue({ name: 'scans', slots: scanSlots, perTenant: 5, waitingMax: 64 })

/** Runs a read that an index answers. */
export const quickRead = <T>(
  link: Link,
  entity: AnyEntity,
  run: (limits: ReadLimits) => PromiseLike<T>,
): Promise<T> => limited(link, entity, undefined, run)

/**
 * Runs a read that may examine many rows, shared fairly between tenants. The command stops if the caller
 * disconnects.
 */
export function scan<T>(
  link: Link,
  scans: FairQueue,
  entity: AnyEntity,
  run: (limits: ReadLimits) => PromiseLike<T>,
): Promise<T> {
  const work = currentWork()
  return offLoop(scans, work, () => limited(link, entity, work.signal, run))
}

/** 0 would mean no limit. */
const leftMs = () => Math.max(1, Math.min(readMs, Math.ceil(currentWork().leftMs())))

async function limited<T>(
  link: Link,
  entity: AnyEntity,
  signal: AbortSignal | undefined,
  run: (limits: ReadLimits) => PromiseLike<T>,
): Promise<T> {
  const withLimits = (maxTimeMS: number) => run({ maxTimeMS, ...(signal ? { signal } : {}) })
  try {
    return await guarded(entity, () => link.run(withLimits, { maxMs: leftMs() }))
  } catch (error) {
    if (signal?.aborted) throw new CancelledError()
    if (error instanceof UnavailableError && isSlow(error.cause)) throw new TimedOutError(true)
    throw error
  }
}

/** Whether the read itself took too long: the server says so, or it gives signs of life while the read gets no answer. */
const isSlow = (cause: unknown): boolean =>
  (cause as { code?: unknown } | undefined)?.code === maxTimeExpired ||
  (cause instanceof NoAnswerError && cause.isSeen)
