import type { BatchRecord } from '../journal/segment'
import type { SharedMemory } from './shared-memory'

/** Remembers a site's batches for a while, in memory shared by sites. */
export interface BatchSet {
  get(id: string): BatchRecord | undefined
  add(record: BatchRecord): void
  /** Forgets ids that are older than the window, to free memory. */
  expire(at: number): void
  /** Since when every batch is known, where memory did not suffice for the whole window before `at`; else null. */
  shortenedTo(at: number): number | null
}

/** About the memory of one batch record, in bytes. */
export const batchBytes = 256
/** Share that is freed at once when memory is short, so that the largest site is not searched each time. */
const partGivenUp = 16
const expireEvery = 256

/** Forgets batches one by one, oldest first. */
export function createBatchSet(windowMs: number, memory: SharedMemory): BatchSet {
  const batches = new Map<string, BatchRecord>()
  let shortened: number | null = null
  let added = 0

  function forget(id: string) {
    if (batches.delete(id)) account.release(batchBytes)
  }
  const account = memory.open(() => {
    let left = Math.ceil(batches.size / partGivenUp)
    if (left === 0) return false
    for (const [id, { at }] of batches) {
      if (left-- === 0) break
      shortened = at
      forget(id)
    }
    return true
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
      if (++added % expireEvery === 0) expire(record.at)
    },
    expire,
    shortenedTo: (at) => (shortened !== null && at - shortened < windowMs ? shortened : null),
  }
}
