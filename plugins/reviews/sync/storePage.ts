import { minuteMs, type OwnerContext, type Row, type Task, where } from 'renown'
import { analyse } from '../analysis/analyse'
import { analysisMark, enqueueAnalysis } from '../analysis/analyseReview'
import { notifyFlagged, sensitiveFlag } from '../analysis/flagSensitive'
import { judgeAgain } from '../analysis/judgeAgain'
import {
  type Changes,
  createAdoption,
  type ReviewRow,
  reconcile,
  sourceFieldsOf,
} from '../analysis/reconcile'
import type { ReviewSource, SourcePage, SourceReview } from '../contract'
import { enqueueReply, rulesOf, scheduledFor } from '../due/dueReplies'
import { settleRejected } from '../due/rejectedReply'
import { contradict } from '../evidence/doubt'
import type { ReplyTally } from '../evidence/reply-evidence'
import { storable } from '../proof/erased-review'
import type { OpenChain } from '../proof/ledger'
import { changedAt, type StoredPage, type SyncProgress } from '../proof/progress'
import { isVisible, reviewsOf, storedPages } from '../proof/storedReviews'
import { publishReceived } from '../records/events'
import { Review } from '../records/Review'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { type NamedReviews, nameReviews } from './unnamedReviews'

/** The data needed to store pages. */
export interface Storing {
  readonly location: Row<typeof ReviewedLocation>
  readonly source: ReviewSource
  readonly task: Task
  readonly random: () => number
  readonly chain: OpenChain
  /** The latest change that an earlier sync has stored. */
  readonly watermark: string
  /**
   * Ids of rows that the last complete sync did not return. Rows that are returned now are removed from it.
   */
  readonly suspects: Map<string, string>
  /** The known replies that this sync returned or missed. */
  readonly tally: TallyInProgress
  /** When the current page was requested. Replies that were stored later cannot be on it. */
  askedAt: string
  /** Finds rows that came from another source. Created at the first new review. */
  adopt?: (review: SourceReview) => ReviewRow | undefined
}

/** A tally that grows page by page, and the replies that were missing before the sync. */
export interface TallyInProgress extends ReplyTally {
  readonly missedBefore: ReadonlySet<string>
}

/**
 * Stores one page: the log first, then the rows. New and changed reviews need no complete sync. Idempotent.
 * Only one page is in memory.
 */
export async function storePage(
  ctx: OwnerContext,
  storing: Storing,
  page: SourcePage,
  progress: SyncProgress,
): Promise<StoredPage> {
  const { task, chain, source, watermark, suspects } = storing
  const erased = await ctx.erasedPeople(storing.location.workspace_id)
  const at = { location_id: storing.location.id, source: source.source }
  const guarded = (review: SourceReview) => storable(erased, at, review)
  const distinct = [...new Map(page.reviews.map((review) => [review.source_id, guarded(review)])).values()]
  const named = await nameReviews(ctx, {
    location_id: storing.location.id,
    source,
    reviews: distinct,
    stored: await rowsOf(ctx, storing, distinct),
    sync: progress.full ? progress.id : undefined,
  })
  const { stored, isPart, renamed } = named
  const reviews = (await withReplies(ctx, storing, named)).map(guarded)
  const byId = new Set(stored.map(({ source_id }) => source_id))
  if (!storing.adopt && reviews.some(({ source_id }) => !byId.has(source_id))) {
    storing.adopt = await adoptionOf(ctx, storing)
  }
  const adopt = (review: SourceReview) => renamed.get(review.source_id) ?? storing.adopt?.(review)
  const { isTurned, absences } = source
  const changes = reconcile(reviews, stored, { adopt, isTurned, absences })
  const { fresh, changed, same, believed } = changes
  // Before anything else, because replies are sent at the same time.
  await noteReplies(ctx, storing, changes)
  await task.progress({
    done: progress.items + page.reviews.length,
    ...(page.total === null ? {} : { total: page.total }),
    ...(progress.restart_reason === undefined ? {} : { note: `Started again: ${progress.restart_reason}` }),
  })
  const stamp = stampOf(source, ctx.now(), progress)
  const updates = await updatesOf(ctx, changes, stamp)
  const rows = await freshRows(ctx, storing, fresh, stamp)
  const made: ReviewRow[] = []
  const part = {
    // The log contains what is believed, as the rows do: `verify` compares both.
    reviews: believed,
    adopted: changed
      .filter(({ set }) => 'source_id' in set)
      .map(({ row, review }) => ({ from: row.source_id, to: review.source_id })),
    restored: changed.filter(({ restored }) => restored).map(({ review }) => review.source_id),
  }
  const hasEntries = await chain.seen(part, (batch) => {
    for (const { id, set } of updates) batch.update(Review, id, set)
    made.splice(0, made.length, ...rows.map((row) => batch.insert(Review, row)))
  })
  for (const { id, isRewritten } of updates) if (isRewritten) await followRewritten(ctx, id)
  for (const row of made) await followFresh(ctx, row)
  // A process that ended in between may have stored these without publishing them.
  for (const row of [...same, ...changed.map(({ row }) => row)]) await publishReceived(ctx, row)
  const unmoved = same.map(({ id }) => id)
  if (progress.full && unmoved.length > 0) await ctx.rows(Review).updateMany(where.in('id', unmoved), stamp)
  if (progress.full) for (const row of same) await judgeAgain(ctx, row)
  for (const { id } of [...same, ...changed.map(({ row }) => row)]) suspects.delete(id)
  const seen = [...stored, ...renamed.values()]
  const known = seen.filter(({ returned_by }) => progress.full && returned_by === progress.id).length
  const last = page.reviews.at(-1)
  return {
    distinct: reviews.length - known,
    changed: changed.length + fresh.length,
    hasEntries,
    isPart,
    // A short sync ends at a page without new or recently changed reviews.
    isEnough:
      !progress.full && fresh.length + changed.length === 0 && ((last && changedAt(last)) ?? '') < watermark,
  }
}

/**
 * Reads the replies that a page left out, although they are stored, where the source has another way. Only then can it say that
 * there is none.
 */
async function withReplies(
  ctx: OwnerContext,
  { source, location }: Storing,
  { reviews, stored }: Pick<NamedReviews, 'reviews' | 'stored'>,
): Promise<readonly SourceReview[]> {
  const { readReply } = source
  if (!readReply) return reviews
  const answered = new Set(stored.flatMap((row) => (row.reply_text === undefined ? [] : [row.source_id])))
  const read: SourceReview[] = []
  for (const review of reviews) {
    const isLeftOut = !review.reply && !review.rejectedReply && !review.saidNone?.includes('reply')
    const isWanted = isLeftOut && answered.has(review.source_id)
    read.push(isWanted ? await readReply(ctx, location, review) : review)
  }
  return read
}

/** How long a source may need until it lists a reply that Renown sent. */
const lagMs = 5 * minuteMs

/** Counts the known replies of a page. A missing one puts the location in doubt at once. */
async function noteReplies(
  ctx: OwnerContext,
  { location, source, tally, askedAt }: Storing,
  { replies: { shown, missing, unknown }, fresh }: Changes,
): Promise<void> {
  if (!source.replies) return
  tally.shown += shown.length + fresh.filter(({ reply }) => reply !== undefined).length
  tally.back.push(...shown.map(({ source_id }) => source_id).filter((id) => tally.missedBefore.has(id)))
  const isNewer = ({ synced_at = '', reply_updated_by, reply_created_at = '' }: ReviewRow) =>
    synced_at > askedAt ||
    (reply_updated_by !== undefined && Date.parse(reply_created_at) + lagMs > Date.parse(askedAt))
  const lost = missing.filter((row) => isVisible(row) && !isNewer(row)).map(({ source_id }) => source_id)
  // A source without a rule never says that there is no reply, so that it says nothing is usual.
  const unclear = source.absences?.fields.reply === undefined ? 0 : unknown.filter(isVisible).length
  tally.unclear += unclear
  if (lost.length + unclear === 0) return
  tally.missing.push(...lost)
  await contradict(ctx, { location, source }, lost)
}

async function rowsOf(
  ctx: OwnerContext,
  { location, source }: Storing,
  reviews: readonly SourceReview[],
): Promise<ReviewRow[]> {
  if (reviews.length === 0) return []
  const ids = reviews.map(({ source_id }) => source_id)
  const own = where.and(
    reviewsOf({ location_id: location.id, source: source.source }),
    where.in('source_id', ids),
  )
  return ctx.rows(Review).list({ where: own, limit: ids.length })
}

/** Returns rows from other sources. A new review may be one of them with another id. */
async function adoptionOf(ctx: OwnerContext, { location, source }: Storing) {
  const imported: ReviewRow[] = []
  if (source.listing === 'own') {
    const none = where.eq('gbp_api_synced_at', null)
    const pages = storedPages(ctx, { location_id: location.id, source: source.source }, none)
    for await (const rows of pages) imported.push(...rows)
  }
  return createAdoption(imported)
}

interface Update {
  readonly id: string
  readonly set: Partial<ReviewRow>
  readonly isRewritten: boolean
}

/** Returns the changes of rows. Notifies people of a rejected reply before its row changes. */
async function updatesOf(
  ctx: OwnerContext,
  { changed }: Changes,
  stamp: Partial<ReviewRow>,
): Promise<Update[]> {
  const updates: Update[] = []
  for (const { row, review, set, rewritten } of changed) {
    const judgement = rewritten
      ? { ...analyse(review), ...analysisMark(ctx, review), ...sensitiveFlag(review) }
      : answered(review, set)
    const rejected = await settleRejected(ctx, row, review)
    updates.push({
      id: row.id,
      set: { ...set, ...judgement, ...rejected, ...stamp },
      isRewritten: rewritten,
    })
  }
  return updates
}

/** Does what follows from a rewritten review. */
async function followRewritten(ctx: OwnerContext, id: string): Promise<void> {
  const kept = await ctx.rows(Review).get(id)
  if (!kept) return
  await notifyFlagged(ctx, kept)
  await enqueueAnalysis(ctx, kept)
}

/** Returns the rows of new reviews. */
async function freshRows(
  ctx: OwnerContext,
  storing: Storing,
  fresh: readonly SourceReview[],
  stamp: Partial<ReviewRow>,
) {
  const { location, source } = storing
  const rules = fresh.length === 0 ? null : await rulesOf(ctx, location.workspace_id)
  return fresh.map((review) => ({
    workspace_id: location.workspace_id,
    location_id: location.id,
    source: source.source,
    ...sourceFieldsOf(review),
    ...analyse(review),
    ...analysisMark(ctx, review),
    ...scheduledFor(ctx, storing, review, rules),
    ...stamp,
    is_read: false,
    is_flagged: false,
    ...sensitiveFlag(review),
  }))
}

/** Does what follows from a new review. */
async function followFresh(ctx: OwnerContext, made: ReviewRow): Promise<void> {
  await publishReceived(ctx, made)
  if (made.auto_response_status === 'pending') await enqueueReply(ctx, made)
  await notifyFlagged(ctx, made)
  await enqueueAnalysis(ctx, made)
}

/** Returns when and by which sync a row was returned. A short sync sets this only on rows that it changes. */
function stampOf(
  { listing }: ReviewSource,
  now: Date,
  { full, id }: Pick<SyncProgress, 'full' | 'id'>,
): Partial<ReviewRow> {
  const at = now.toISOString()
  return {
    synced_at: at,
    ...(full ? { returned_by: id } : {}),
    ...(listing === 'own' ? { gbp_api_synced_at: at } : {}),
  }
}

/** Returns the changes for a new or rejected reply to a review whose text did not change. */
const answered = ({ reply }: SourceReview, set: Partial<ReviewRow>) => {
  if (reply !== undefined) return { needs_response: false }
  return 'reply_text' in set ? { needs_response: true } : {}
}
