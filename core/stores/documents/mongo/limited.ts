import type { AnyEntity } from '../../../contracts/entity'
import { createFairQueue, type FairQueue } from '../../../work/fair-queue'
import { offLoop } from '../../../work/loop-turns'
import { CancelledError, currentWork, TimedOutError } from '../../../work/scope'
import { UnavailableError } from '../port'
import { guarded } from './errors'

/** Maximum duration of a command in MongoDB, in milliseconds. */
export const maxTimeMS = 10_000
const maxTimeExpired = 50

/** Driver options of a read, so that the server stops it when its request ends. */
export interface ReadLimits {
  readonly maxTimeMS: number
  readonly signal?: AbortSignal
}

/** Creates the queue that shares this process's connections between tenants that scan. */
export const createScans = (): FairQueue =>
  createFairQueue({ name: 'scans', slots: 20, perTenant: 5, waitingMax: 64 })

/** Runs a read that an index answers. */
export const quickRead = <T>(entity: AnyEntity, run: (limits: ReadLimits) => PromiseLike<T>): Promise<T> =>
  limited(entity, { maxTimeMS: leftMs() }, run)

/**
 * Runs a read that may examine many rows, shared fairly between tenants. The command stops if the caller
 * disconnects.
 */
export function scan<T>(
  scans: FairQueue,
  entity: AnyEntity,
  run: (limits: ReadLimits) => PromiseLike<T>,
): Promise<T> {
  const work = currentWork()
  return offLoop(scans, work, () => {
    const { signal } = work
    return limited(entity, { maxTimeMS: leftMs(), ...(signal ? { signal } : {}) }, run)
  })
}

/** 0 would mean no limit. */
const leftMs = () => Math.max(1, Math.min(maxTimeMS, Math.ceil(currentWork().leftMs())))

async function limited<T>(
  entity: AnyEntity,
  limits: ReadLimits,
  run: (limits: ReadLimits) => PromiseLike<T>,
): Promise<T> {
  try {
    return await guarded(entity, () => run(limits))
  } catch (error) {
    if (limits.signal?.aborted) throw new CancelledError()
    const { cause } = error as { cause?: { code?: unknown } }
    if (error instanceof UnavailableError && cause?.code === maxTimeExpired) throw new TimedOutError(true)
    throw error
  }
}
