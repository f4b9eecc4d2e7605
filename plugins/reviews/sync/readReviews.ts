import {
  isServiceFault,
  type OwnerContext,
  type Row,
  recoverIf,
  type ServiceFault,
  type Task,
  unreadableCode,
  where,
} from 'renown'
import type { ReviewRow } from '../analysis/reconcile'
import type { GoneStatement, Listing, ReviewSource } from '../contract'
import { requeueReplies } from '../due/dueReplies'
import { listingOf } from '../evidence/doubt'
import { emptyTally, storedEvidence, storedTally } from '../evidence/reply-evidence'
import { settleEvidence } from '../evidence/settleEvidence'
import { digestOf } from '../proof/digest'
import { type Chain, type Figures, type Head, openChain } from '../proof/ledger'
import { type PageSink, type Proof, proofOf, readPages } from '../proof/pass'
import type { SyncProgress } from '../proof/progress'
import { judgeRemovals, type StoredReview, type Suspects } from '../proof/removals'
import { isVisible, reviewsOf, storedPages } from '../proof/storedReviews'
import { publishRemoved } from '../records/events'
import { Review } from '../records/Review'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { type Storing, storePage } from './storePage'

type Own = Pick<Chain, 'location_id' | 'source'>

/** The input of one sync. */
export interface Job {
  readonly location: Row<typeof ReviewedLocation>
  readonly listing: Row<typeof ReviewListing>
  readonly source: ReviewSource
  readonly task: Task
  /** The progress at which it starts or continues. */
  readonly progress: SyncProgress
  readonly random: () => number
  /** Called after each page. If it throws a fault, the rest of the sync is delayed. */
  readonly afterPage?: (progress: SyncProgress) => void
}

/** The result of a sync. */
export interface SyncResult {
  readonly progress: SyncProgress
  readonly proof: Proof
  /** Number of rows that changed since the job began. */
  readonly changed: number
  /** Number of reviews that are listed in Renown after the sync. */
  readonly visible: number
  readonly suspects: Suspects
  /** What people read if the platform does not return replies that are stored. */
  readonly doubt: string | null
  /** The new end of the observation log. */
  readonly head: Head
}

/** Reads a listing page by page and updates the rows. Removals are decided after the last page. */
export async function readReviews(ctx: OwnerContext, job: Job): Promise<SyncResult> {
  const { location, listing, source, task, random } = job
  const chain = { workspace_id: location.workspace_id, location_id: location.id, source: source.source }
  await requeueReplies(ctx, chain)
  const opened = await source.open(ctx, location, task)
  // Not from `listing`: an earlier sync of the same job may have found missing replies.
  const evidence = storedEvidence((await listingOf(ctx, location.id))?.replies)
  const missedBefore = new Set(Object.keys(evidence.missing))
  const storing: Storing = {
    location,
    source,
    task,
    random,
    askedAt: ctx.now().toISOString(),
    tally: { ...storedTally(listing.reply_tally, job.progress.id), missedBefore },
    chain: await openChain(ctx, chain, () => listedDigests(ctx, chain)),
    watermark: listing.watermark ?? '',
    suspects: new Map(Object.entries((listing.suspects ?? {}) as Suspects)),
  }
  const sink: PageSink = {
    now: () => ctx.now(),
    store: (page, progress) => storePage(ctx, storing, page, progress),
    async keep(progress) {
      const suspects = Object.fromEntries(storing.suspects)
      const { missedBefore: _, ...reply_tally } = storing.tally
      await ctx.rows(ReviewListing).update(listing.id, {
        reading: { ...progress },
        suspects,
        reply_tally: { ...reply_tally, sync: progress.id },
      })
      if (progress.state === 'open') job.afterPage?.(progress)
    },
    async anew() {
      Object.assign(storing.tally, emptyTally(''))
      return beginning(ctx, chain)
    },
    provesRemovals: listing.last_full_at !== undefined,
  }
  const asked: Listing = {
    async page(token) {
      storing.askedAt = ctx.now().toISOString()
      return opened.page(token)
    },
  }
  const progress = await readPages(asked, job.progress, sink)
  return finish(ctx, job, storing, progress)
}

/** Returns the initial state of a new sync. */
export async function beginning(ctx: OwnerContext, chain: Own) {
  const id = ctx.newId(ReviewListing)
  return { id, began_at: ctx.now().toISOString(), visible: await countVisible(ctx, chain) }
}

const countVisible = (ctx: OwnerContext, chain: Own) =>
  ctx.rows(Review).count(where.and(reviewsOf(chain), where.eq('removed_at_source_at', null)))

/** Returns the digests of all visible rows of a log, by source id. */
export async function listedDigests(ctx: OwnerContext, chain: Chain): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for await (const page of storedPages(ctx, chain)) {
    for (const row of page) if (isVisible(row)) digests.set(row.source_id, digestOf(row))
  }
  return digests
}

/** Decides about the reviews that the sync did not return, and appends its end to the log. */
async function finish(
  ctx: OwnerContext,
  job: Job,
  storing: Storing,
  ended: SyncProgress,
): Promise<SyncResult> {
  const { location, source, task } = job
  const { chain } = storing
  const own = { location_id: location.id, source: source.source }
  const { full } = ended
  const found = full ? await unreturned(ctx, own, source, ended) : null
  const progress = found === null ? ended : { ...ended, distinct: found.distinct }
  const proof = proofOf(progress, full ? source.evidence : 'none', ctx.now().toISOString())
  const suspected = Object.fromEntries(storing.suspects)
  const { removed: missing, suspects } =
    found === null
      ? { removed: [], suspects: suspected }
      : judgeRemovals(proof, { unseen: found.unseen, visible: progress.visible }, suspected)
  const removed = await gone(ctx, job, missing, found?.returned ?? [])
  await task.hold()
  const { began_at } = progress
  const read = { began_at, isWhole: full && proof.complete, tally: storing.tally }
  const doubt = await settleEvidence(ctx, { location, source, chain, ...read })
  const figures = figuresOf(progress, chain.figures)
  const isMoved = !Bun.deepEquals(figures, chain.figures)
  for (const row of removed) {
    const about = { ...own, id: row.id, workspace_id: location.workspace_id }
    await publishRemoved(ctx, about, row.seen_at ?? row.created_date)
  }
  if (full || isMoved || progress.has_entries || removed.length > 0) {
    const part = {
      full,
      proof,
      figures,
      withheld: Object.keys(suspects).length,
      isListed: (id: string) => found?.listed.has(id) ?? true,
      isGone: (id: string) => goneStatement(ctx, job, id, found?.returned ?? []),
      removed,
    }
    await chain.pass(part, (batch) => {
      const removed_at_source_at = ctx.now().toISOString()
      for (const { id } of removed) batch.update(Review, id, { removed_at_source_at })
    })
  }
  const listed = found === null ? await countVisible(ctx, own) : found.listed.size - removed.length
  return {
    progress,
    proof,
    suspects,
    head: chain.head,
    visible: listed,
    doubt,
    changed: progress.changed + removed.length,
  }
}

/**
 * Returns the source's figures over all reviews. Missing figures keep their earlier values. Without reviews there is
 * no average.
 */
export const figuresOf = ({ average, last_total }: SyncProgress, before: Figures): Figures =>
  last_total === 0
    ? { total: 0 }
    : {
        ...before,
        ...(average === undefined ? {} : { average }),
        ...(last_total === null ? {} : { total: last_total }),
      }

/**
 * Returns the number of listed reviews after a complete sync, and those that it did not return. Holds one
 * page of rows in memory.
 */
async function unreturned(ctx: OwnerContext, chain: Own, source: ReviewSource, { id }: SyncProgress) {
  const listed = new Set<string>()
  const returned: string[] = []
  const unseen: StoredReview[] = []
  for await (const page of storedPages(ctx, chain)) {
    for (const row of page.filter(isVisible)) {
      listed.add(row.source_id)
      if (row.returned_by === id) returned.push(row.source_id)
      else unseen.push(heldOf(row, source))
    }
  }
  return { listed, returned, unseen, distinct: returned.length }
}

/** Returns the missing reviews that do not exist according to the source, with its statements. */
async function gone(
  ctx: OwnerContext,
  { source, location }: Job,
  missing: readonly StoredReview[],
  shown: readonly string[],
) {
  const found: (StoredReview & { readonly said: GoneStatement })[] = []
  for (const held of missing) {
    const said = await goneStatement(ctx, { source, location }, held.source_id, shown)
    if (said !== null) found.push({ ...held, said })
  }
  return found
}

/**
 * Returns the source's statement that a review does not exist. An unreadable answer proves nothing, so the
 * review stays.
 */
export async function goneStatement(
  ctx: OwnerContext,
  { source, location }: Pick<Job, 'source' | 'location'>,
  sourceId: string,
  shown: readonly string[],
): Promise<GoneStatement | null> {
  const keep = ({ message: error }: ServiceFault) => {
    ctx.log.warn('a missing review could not be looked up and is kept', {
      location_id: location.id,
      source_id: sourceId,
      error,
    })
    return null
  }
  const ask = async () => (await source.isGone?.(ctx, location, sourceId, shown)) ?? null
  return ask().catch(recoverIf(isUnreadable, keep))
}

const isUnreadable = (error: unknown): error is ServiceFault =>
  isServiceFault(error) && error.code === unreadableCode

const heldOf = (row: ReviewRow, { listing }: ReviewSource): StoredReview => ({
  id: row.id,
  source_id: row.source_id,
  created_date: row.created_date,
  seen_at: listing === undefined ? row.synced_at : row.gbp_api_synced_at,
})
