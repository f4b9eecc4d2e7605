import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createIdSet, type IdSet } from './id-set'
import { doneDirectory, segmentsDirectory } from './journal'
import type { PathBound } from './path-bound'
import { type BatchRecord, readIds } from './segment'

/** How long a batch or a hit is known, where memory suffices. */
export const dedupWindowMs = 86_400_000

/** What is to be done with a batch that arrives. */
export type BatchClaim =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly record: BatchRecord }
  /** The same batch is being written: resolves with its record, or with null when that failed. */
  | { readonly kind: 'pending'; readonly outcome: Promise<BatchRecord | null> }

/** Which of a batch's hits are new. */
export interface HitClaim {
  /** Ids of those that are: in the set already, and taken out again should they not be written. */
  readonly ids: readonly number[]
  /** Positions of hits that were counted before, or stand twice in this very batch. */
  readonly duplicates: ReadonlySet<number>
  /** Resolves when every duplicate that was still being written is decided; false when one of them failed. */
  readonly settled: Promise<boolean> | null
  /** The ids as a set, and what tells of the outcome, made when somebody else first asks for one. */
  asked: { readonly ids: ReadonlySet<number>; readonly outcome: PromiseWithResolvers<boolean> } | undefined
}

/**
 * Knows batches by their id and hits by their senders' own ids. Something claimed is neither counted twice nor lost:
 * it is committed once it stands in the journal, or released when that failed, and whoever sends the same meanwhile
 * waits for the outcome.
 */
export interface Dedup {
  claimBatch(id: string): BatchClaim
  commitBatch(record: BatchRecord): void
  releaseBatch(id: string): void
  /** By their ids, hashes of at most 53 bits; a hit without one is always new. */
  claimHits(hits: readonly { readonly id?: number | undefined }[], at: number): HitClaim
  commitHits(claim: HitClaim): void
  releaseHits(claim: HitClaim): void
  /** Takes over what a segment holds, at start. */
  remember(batches: readonly BatchRecord[], hitIds: readonly number[], at: number): void
  /** Nothing before this moment was taken over. */
  shorten(to: number): void
  /** Since when everything is known, where memory does not suffice for the whole window; else null. */
  shortenedTo(): number | null
}

/** About what a batch's record costs in memory. */
const batchBytes = 256
const sweepEvery = 256

/** Creates the memory of what was counted, empty. A quarter of `bytesMax` is for batches, the rest for hits. */
export function createDedup(bytesMax: number, now: () => Date): Dedup {
  const batches = new Map<string, BatchRecord>()
  const batchesMax = Math.max(1_000, Math.floor(bytesMax / 4 / batchBytes))
  const pendingBatches = new Map<string, PromiseWithResolvers<BatchRecord | null>>()
  const hits = createIdSet(dedupWindowMs, (bytesMax * 3) / 4)
  const inFlight = new Set<HitClaim>()
  let shortened: number | null = null
  let kept = 0

  function keep(record: BatchRecord) {
    batches.set(record.id, record)
    if (batches.size > batchesMax || ++kept % sweepEvery === 0) sweep()
  }

  function sweep() {
    const oldest = now().getTime() - dedupWindowMs
    for (const [id, { at }] of batches) {
      if (at >= oldest && batches.size <= batchesMax) return
      if (at >= oldest) shortened = at
      batches.delete(id)
    }
  }

  function settle(id: string, record: BatchRecord | null) {
    pendingBatches.get(id)?.resolve(record)
    pendingBatches.delete(id)
  }

  return {
    claimBatch(id) {
      const record = batches.get(id)
      if (record && now().getTime() - record.at < dedupWindowMs) return { kind: 'known', record }
      const pending = pendingBatches.get(id)
      if (pending) return { kind: 'pending', outcome: pending.promise }
      pendingBatches.set(id, Promise.withResolvers())
      return { kind: 'new' }
    },
    commitBatch(record) {
      keep(record)
      settle(record.id, record)
    },
    releaseBatch: (id) => settle(id, null),
    claimHits: (claimed, at) => claimHits(claimed, hits, inFlight, at),
    commitHits(claim) {
      if (inFlight.delete(claim)) claim.asked?.outcome.resolve(true)
    },
    releaseHits(claim) {
      if (!inFlight.delete(claim)) return
      for (const id of claim.ids) hits.remove(id)
      claim.asked?.outcome.resolve(false)
    },
    remember(records, hitIds, at) {
      for (const record of records) keep(record)
      for (const id of hitIds) hits.add(id, at)
    },
    shorten(to) {
      shortened = Math.max(shortened ?? 0, to)
    },
    shortenedTo() {
      const early = [shortened, hits.shortenedTo()].filter((each) => each !== null)
      return early.length > 0 ? Math.max(...early) : null
    },
  }
}

const nothing: ReadonlySet<number> = new Set()

// Claims are made in one go, never across an await: a batch then waits only for earlier ones, and no two for each other.
function claimHits(
  hits: readonly { readonly id?: number | undefined }[],
  known: IdSet,
  inFlight: Set<HitClaim>,
  at: number,
): HitClaim {
  const ids: number[] = []
  let duplicates: Set<number> | undefined
  let others: Set<Promise<boolean>> | undefined
  if (hits.length > 1) known.approach(hits)
  for (let index = 0; index < hits.length; index++) {
    const id = hits[index]?.id
    if (id === undefined) continue
    if (known.add(id, at)) {
      ids.push(id)
      continue
    }
    duplicates ??= new Set()
    duplicates.add(index)
    for (const outcome of writersOf(id, inFlight)) {
      others ??= new Set()
      others.add(outcome)
    }
  }
  const settled = others ? Promise.all(others).then((all) => all.every(Boolean)) : null
  const claim: HitClaim = { ids, duplicates: duplicates ?? nothing, settled, asked: undefined }
  if (ids.length > 0) inFlight.add(claim)
  return claim
}

function writersOf(id: number, inFlight: ReadonlySet<HitClaim>): Promise<boolean>[] {
  const outcomes = []
  for (const other of inFlight) {
    other.asked ??= { ids: new Set(other.ids), outcome: Promise.withResolvers() }
    if (other.asked.ids.has(id)) outcomes.push(other.asked.outcome.promise)
  }
  return outcomes
}

/** Most bytes of segments that are read back at start, the newest first: some ten million hits. */
const restoreBytesMax = 2 ** 29

/** What an ingest knows of the hits it counted. */
export interface Recalled {
  readonly dedup: Dedup
  /** Keeps the bound on distinct paths over a restart, for what was counted in the last window. */
  readonly paths: PathBound
}

/** Recalls what the segments of the last window hold, waiting ones and done ones. */
export async function restoreDedup(
  { dedup, paths }: Recalled,
  directory: string,
  now: () => Date,
  bytesMax = restoreBytesMax,
): Promise<void> {
  const oldest = now().getTime() - dedupWindowMs
  const recent = (await segmentFiles(directory)).filter(({ at }) => at >= oldest - segmentSpanMs)
  const read: { batchIds: readonly BatchRecord[]; hitIds: readonly number[]; at: number }[] = []
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
    read.push({ ...readIds(content, paths.admit), at })
  }
  for (const { batchIds, hitIds, at } of read.reverse()) dedup.remember(batchIds, hitIds, at)
}

/** A segment's name tells when it was opened; what it holds may be this much younger. */
const segmentSpanMs = 60_000

/** All closed segments by time. Waiting ones are listed last: one that moves meanwhile is then found in either place. */
async function segmentFiles(directory: string) {
  const files = new Map<string, string>()
  for (const folder of [doneDirectory(directory), segmentsDirectory(directory)]) {
    for (const name of await readdir(folder)) if (name.endsWith('.seg')) files.set(name, folder)
  }
  return [...files].sort().map(([name, folder]) => ({ name, folder, at: Number(name.slice(0, 14)) }))
}
