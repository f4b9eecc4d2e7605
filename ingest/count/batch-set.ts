import type { BatchRecord } from '../journal/segment'
import type { SharedMemory } from './shared-memory'

/** Remembers the batches of a site for a while, in memory that all sites share. */
export interface BatchSet {
  get(id: string): BatchRecord | undefined
  add(record: BatchRecord): void
  /** Forgets ids that are older than the window, to free memory. */
  expire(at: number): void
  /**
   * Returns since when every batch is remembered, if memory was too small for the whole window before `at`.
   * Otherwise null.
   */
  shortenedTo(at: number): number | null
}

/** Approximate memory of one batch record, in bytes. */
export const batchBytes = 256
/**
 * The fraction that is freed at once when memory is short, so that the largest site is not searched each
 * time.
 */
const partGivenUp = 16
const expireEvery = 256

/** Forgets batches one by one, oldest first. */
export function createBatchSet(windowMs: number, memory: SharedMemory): BatchSet {
  const batches = new Map<string, BatchRecord>()
  let shortened = Number.NEGATIVE_INFINITY
  let untilExpiry = expireEvery

  function forget(id: string) {
    if (batches.delete(id)) account.release(batchBytes)
  }
  const account = memory.open(() => {
    let left = Math.ceil(batches.size / partGivenUp)
    for (const [id, { at }] of batches) {
      if (left-- === 0) break
      shortened = at
      forget(id)
    }
  })
  function expire(at: number) {
    for (const [id, record] of batches) {
      if (at - record.at <= windowMs) return
      forget(id)
    }
  }
  return {
    get: (id) => batches.get(id),
    add(record) {
      forget(record.id)
      batches.set(record.id, record)
      account.reserve(batchBytes)
      if (--untilExpiry > 0) return
      untilExpiry = expireEvery
      expire(record.at)
    },
    expire,
    shortenedTo: (at) => (at - shortened < windowMs ? shortened : null),
  }
}
