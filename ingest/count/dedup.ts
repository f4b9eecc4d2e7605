import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from 'renown/contracts'
import { doneDirectory, segmentsDirectory } from '../journal/journal'
import { type BatchRecord, type CountedIds, type JournalHit, readIds } from '../journal/segment'
import { openedAt } from '../journal/segment-folder'
import type { PathBound } from '../parse/path-bound'
import { type BatchSet, batchBytes, createBatchSet } from './batch-set'
import { createIdSet, type IdSet } from './id-set'
import { createRecentIds, type RecentIds } from './recent-ids'
import { createSharedMemory } from './shared-memory'

/** How long a batch or a hit is remembered, if memory allows, in milliseconds. */
export const dedupWindowMs = dayMs

/** What to do with a batch. */
export type BatchClaim =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly record: BatchRecord }
  /** The same batch is being written. Resolves with its record, or with null if that failed. */
  | { readonly kind: 'pending'; readonly outcome: Promise<BatchRecord | null> }

/** The hits of a batch, by whether they are new. */
export interface HitClaim {
  /**
   * Ids of the new hits. They are in the set already, and are removed again if the hits cannot be written.
   */
  readonly ids: readonly number[]
  /** Sender's ids that were new, and are removed again too. */
  readonly senderIds: readonly number[]
  /** Indexes of hits that were counted before, or that occur twice in this batch. */
  readonly duplicates: ReadonlySet<number>
  /** Number of new hits whose sender's id another hit had. */
  readonly repeated: number
  /** Resolves when every duplicate that was still being written is decided. False if one of them failed. */
  readonly settled: Promise<boolean> | null
  /** The ids as a set, and the promise of their outcome. Created when another batch first needs them. */
  waiting: { readonly ids: ReadonlySet<number>; readonly outcome: PromiseWithResolvers<boolean> } | undefined
}

/**
 * Remembers a site's batches by their id and its hits by their senders' ids. Claimed items are neither counted twice
 * nor lost: they are committed after the journal has them, or released when that failed. A sender of the same item
 * waits for the outcome.
 */
export interface SiteDedup {
  claimBatch(id: string): BatchClaim
  commitBatch(record: BatchRecord): void
  releaseBatch(id: string): void
  /** Claims hits by their ids, which are hashes of at most 53 bits. A hit without an id is always new. */
  claimHits(hits: readonly ClaimedHit[], at: number): HitClaim
  /** Claims many hits, with turns for other work in between. No other hits of the site may be claimed until then. */
  claimInTurns(hits: readonly ClaimedHit[], at: number, turn: () => Promise<void>): Promise<HitClaim>
  /** Resolves when the claim that takes turns is made. Null if there is none. Ask again afterwards. */
  claiming(): Promise<void> | null
  commitHits(claim: HitClaim): void
  releaseHits(claim: HitClaim): void
}

/** What a hit is claimed by. */
type ClaimedHit = Pick<JournalHit, 'id' | 'sender_id'>

/** The memory of all sites, each within its share. */
export interface Dedup {
  of(siteId: string): SiteDedup
  /** Adds the ids of a site from a segment, at start. `''` is for batches without a known site. */
  remember(siteId: string, known: CountedIds, at: number): void
  /** Records that ids before this time were not loaded. */
  shorten(to: number): void
  /** Returns which repeats are recognized if memory is too small for the whole window, else null. */
  shortened(): Shortened | null
}

/** A site whose duplicates are recognized for less than the whole window. */
export interface Shortened {
  /** All repeats at any site since this time are recognized, in milliseconds since the epoch. */
  readonly to: number
  /** The sites with a shortened window. Empty if it applies to all. */
  readonly sites: readonly string[]
}

interface Site extends SiteDedup {
  readonly batches: BatchSet
  readonly ids: IdSet
}

/** How often sites forget ids that are older than the window. */
const expireEveryMs = 15 * 60_000

/**
 * Creates an empty memory of counted items. A quarter of `bytesMax` is for batches, an eighth for the ids that senders
 * use again, the rest for hits. Sites share each fairly, so that many hits of one site do not shorten the window of others.
 */
export function createDedup(bytesMax: number, now: () => Date): Dedup {
  const sites = new Map<string, Site>()
  const batchMemory = createSharedMemory(Math.max(1_000 * batchBytes, bytesMax / 4))
  const idMemory = createSharedMemory((bytesMax * 5) / 8)
  const senderIdMemory = createSharedMemory(bytesMax / 8)
  const unowned = createBatchSet(dedupWindowMs, batchMemory)
  let restoredTo = Number.NEGATIVE_INFINITY
  let expiredAt = Number.NEGATIVE_INFINITY

  function of(siteId: string): Site {
    const at = now().getTime()
    if (at - expiredAt > expireEveryMs) {
      expiredAt = at
      for (const each of [unowned, ...[...sites.values()].flatMap(({ batches, ids }) => [batches, ids])])
        each.expire(at)
    }
    const known = sites.get(siteId)
    if (known) return known
    const site = createSite({
      now,
      unowned,
      batches: createBatchSet(dedupWindowMs, batchMemory),
      ids: createIdSet(dedupWindowMs, idMemory),
      senderIds: createRecentIds(senderIdMemory),
    })
    sites.set(siteId, site)
    return site
  }

  return {
    of,
    remember(siteId, { batchIds, hitIds }, at) {
      const batches = siteId === '' ? unowned : of(siteId).batches
      for (const record of batchIds) batches.add(record)
      for (const id of hitIds) of(siteId).ids.add(id, at)
    },
    shorten(to) {
      restoredTo = Math.max(restoredTo, to)
    },
    shortened() {
      const at = now().getTime()
      if (at - restoredTo < dedupWindowMs) return { to: restoredTo, sites: [] }
      const short = [...sites].flatMap(([siteId, { batches, ids }]) => {
        const early = [batches, ids].map((set) => set.shortenedTo(at)).filter((each) => each !== null)
        return early.length > 0 ? [{ siteId, to: Math.max(...early) }] : []
      })
      if (short.length === 0) return null
      return { to: Math.max(...short.map(({ to }) => to)), sites: short.map(({ siteId }) => siteId) }
    },
  }
}

interface SiteDeps {
  readonly now: () => Date
  readonly batches: BatchSet
  readonly ids: IdSet
  /** The senders' ids alone. They only explain. So they are not restored after a restart, and may be forgotten. */
  readonly senderIds: RecentIds
  /** Batches whose site is unknown after a restart. */
  readonly unowned: BatchSet
}

function createSite({ now, batches, ids, senderIds, unowned }: SiteDeps): Site {
  const pendingBatches = new Map<string, PromiseWithResolvers<BatchRecord | null>>()
  const inFlight = new Set<HitClaim>()

  let claiming: PromiseWithResolvers<void> | null = null

  function release(claim: HitClaim) {
    if (!inFlight.delete(claim)) return
    for (const id of claim.ids) ids.remove(id)
    for (const id of claim.senderIds) senderIds.remove(id)
    claim.waiting?.outcome.resolve(false)
  }

  function settle(id: string, record: BatchRecord | null) {
    pendingBatches.get(id)?.resolve(record)
    pendingBatches.delete(id)
  }

  return {
    batches,
    ids,
    claimBatch(id) {
      const record = batches.get(id) ?? unowned.get(id)
      if (record && now().getTime() - record.at < dedupWindowMs) return { kind: 'known', record }
      const pending = pendingBatches.get(id)
      if (pending) return { kind: 'pending', outcome: pending.promise }
      pendingBatches.set(id, Promise.withResolvers())
      return { kind: 'new' }
    },
    commitBatch(record) {
      batches.add(record)
      settle(record.id, record)
    },
    releaseBatch: (id) => settle(id, null),
    claimHits: (claimed, at) => claimHits(claimed, { ids, senderIds }, inFlight, at),
    claiming: () => claiming?.promise ?? null,
    async claimInTurns(claimed, at, turn) {
      const own = Promise.withResolvers<void>()
      claiming = own
      const run = startClaim(claimed, { ids, senderIds }, inFlight, at)
      try {
        for (let from = 0; from < claimed.length; from += claimedAtOnce) {
          await turn()
          run.take(from, Math.min(claimed.length, from + claimedAtOnce))
        }
        return run.end()
      } catch (error) {
        release(run.end())
        throw error
      } finally {
        claiming = null
        own.resolve()
      }
    },
    commitHits(claim) {
      if (inFlight.delete(claim)) claim.waiting?.outcome.resolve(true)
    },
    releaseHits: release,
  }
}

const nothing: ReadonlySet<number> = new Set()

/** Hits that are claimed in one slice. More are claimed in turns. */
export const claimedAtOnce = 2_000

// Makes all claims without an `await` in between, or while no other hits of the site are claimed. A batch then waits only for
// earlier ones, and two never wait for each other.
function claimHits(
  hits: readonly ClaimedHit[],
  known: Pick<SiteDeps, 'ids' | 'senderIds'>,
  inFlight: Set<HitClaim>,
  at: number,
): HitClaim {
  const run = startClaim(hits, known, inFlight, at)
  run.take(0, hits.length)
  return run.end()
}

function startClaim(
  hits: readonly ClaimedHit[],
  known: Pick<SiteDeps, 'ids' | 'senderIds'>,
  inFlight: Set<HitClaim>,
  at: number,
) {
  const ids: number[] = []
  const senderIds: number[] = []
  let repeated = 0
  let duplicates: Set<number> | undefined
  let others: Set<Promise<boolean>> | undefined
  return {
    /** Claims a part of the hits. */
    take(from: number, to: number) {
      known.ids.approach(from === 0 && to === hits.length ? hits : hits.slice(from, to))
      for (let index = from; index < to; index++) {
        const { id, sender_id } = hits[index] as ClaimedHit
        if (id === undefined) continue
        if (known.ids.add(id, at)) {
          ids.push(id)
          if (sender_id === undefined) continue
          if (known.senderIds.add(sender_id)) senderIds.push(sender_id)
          else repeated++
          continue
        }
        duplicates ??= new Set()
        duplicates.add(index)
        for (const outcome of writersOf(id, inFlight)) {
          others ??= new Set()
          others.add(outcome)
        }
      }
    },
    end(): HitClaim {
      const settled = others ? Promise.all(others).then((all) => all.every(Boolean)) : null
      const claim: HitClaim = {
        ids,
        senderIds,
        duplicates: duplicates ?? nothing,
        repeated,
        settled,
        waiting: undefined,
      }
      if (ids.length > 0) inFlight.add(claim)
      return claim
    },
  }
}

function writersOf(id: number, inFlight: ReadonlySet<HitClaim>): Promise<boolean>[] {
  const outcomes = []
  for (const other of inFlight) {
    other.waiting ??= { ids: new Set(other.ids), outcome: Promise.withResolvers() }
    if (other.waiting.ids.has(id)) outcomes.push(other.waiting.outcome.promise)
  }
  return outcomes
}

/** Maximum bytes of segments that are read at start, newest first: about ten million hits. */
const restoreBytesMax = 2 ** 29

/** The memory of counted hits. */
export interface Recalled {
  readonly dedup: Dedup
  /** Restores the limit on distinct paths after a restart, for hits counted in the last window. */
  readonly paths: PathBound
}

/** Reads what the segments of the last window contain, waiting and finished ones. */
export async function restoreDedup(
  { dedup, paths }: Recalled,
  directory: string,
  now: () => Date,
  bytesMax = restoreBytesMax,
): Promise<void> {
  const oldest = now().getTime() - dedupWindowMs
  const recent = (await segmentFiles(directory)).filter(({ at }) => at >= oldest - segmentSpanMs)
  const read: { known: ReadonlyMap<string, CountedIds>; at: number }[] = []
  let bytes = 0
  for (const { name, folder, at } of recent.reverse()) {
    const content = await readFile(join(folder, name)).catch(() =>
      readFile(join(doneDirectory(directory), name)).catch(() => new Uint8Array()),
    )
    bytes += content.length
    if (bytes > bytesMax) {
      dedup.shorten(read.at(-1)?.at ?? now().getTime())
      break
    }
    read.push({ known: readIds(content, paths.admit), at })
  }
  for (const { known, at } of read.reverse()) {
    for (const [siteId, each] of known) dedup.remember(siteId, each, at)
  }
}

/** The name of a segment contains the time when it was opened. Its hits may be this much younger. */
const segmentSpanMs = 60_000

/**
 * Returns all closed segments by time. Lists waiting ones last, so that a segment that is moved during the
 * listing is found in both places.
 */
async function segmentFiles(directory: string) {
  const files = new Map<string, string>()
  for (const folder of [doneDirectory(directory), segmentsDirectory(directory)]) {
    for (const name of await readdir(folder)) if (name.endsWith('.seg')) files.set(name, folder)
  }
  return [...files].sort().map(([name, folder]) => ({ name, folder, at: openedAt(name) }))
}
