import { isServiceFault, type OwnerContext, type Row, type Task, unreadableCode, where } from 'renown'
import { AutoResponseRules } from './AutoResponseRules'
import { analyse } from './analyse'
import { analysisMark, enqueueAnalysis } from './analyseReview'
import { notifyFlagged, sensitiveFlag } from './flagSensitive'
import { appendReading, digestOf, type Head } from './ledger'
import { type Pass, type Proof, proofOf, readListing } from './pass'
import { Review } from './Review'
import type { ReviewedLocation } from './ReviewedLocation'
import type { ReviewListing } from './ReviewListing'
import { createAdoption, type ReviewRow, reconcile, toldOf } from './reconcile'
import { type Held, judgeRemovals, type Suspects } from './removals'
import { scheduleReply } from './scheduleReply'
import type { GoneStatement, ReviewSource, SourceReview } from './sources/source'
import { storedReviews } from './storedReviews'
import { WorkspaceOwner } from './WorkspaceOwner'

/** What one reading is about. */
export interface Job {
  readonly location: Row<typeof ReviewedLocation>
  readonly listing: Row<typeof ReviewListing>
  readonly source: ReviewSource
  readonly task: Task
  /** To the end, rather than until nothing is new. */
  readonly full: boolean
  readonly random: () => number
}

/** What a reading found and did. */
export interface Outcome {
  readonly pass: Pass
  readonly proof: Proof
  readonly changed: number
  /** Reviews that are listed here after it. */
  readonly visible: number
  readonly suspects: Suspects
  readonly watermark: string | undefined
  /** Where the chain of observations ends now. */
  readonly head: Head
}

/** Reads a listing and brings the rows in step with it. The ledger is written first, then the rows, each in one change. */
export async function readReviews(ctx: OwnerContext, job: Job): Promise<Outcome> {
  const { location, listing, source, task, full } = job
  const began_at = ctx.now().toISOString()
  const stored = await storedReviews(ctx, { location_id: location.id, source: source.name })
  await takeUp(ctx, stored)
  const opened = await source.open(ctx, location, task)
  const pass = await readListing(opened, full ? undefined : enoughOf(stored, listing.watermark))
  const proof = proofOf(pass, full ? source.evidence : 'none', {
    began_at,
    ended_at: ctx.now().toISOString(),
  })
  const others = stored.filter((row) => isImported(row) && !pass.reviews.has(row.source_id))
  const adopt = createAdoption(others)
  const changes = reconcile(pass.reviews.values(), stored, { adopt, isTurned: source.isTurned })
  const shown = stored.filter(isVisible)
  const moved = changes.changed.filter(({ set }) => 'source_id' in set)
  const adopted = new Set(moved.map(({ row }) => row.id))
  const judged = shown.filter(({ id }) => !adopted.has(id)).map((row) => heldOf(row, source))
  const { removed: missing, suspects } = judgeRemovals(proof, judged, pass.reviews, suspectsOf(listing))
  const removed = await gone(ctx, job, missing, pass)
  const listed = new Set(shown.map(({ source_id }) => source_id))
  await task.hold()
  const head = await appendReading(
    ctx,
    { workspace_id: location.workspace_id, location_id: location.id, source: source.name },
    {
      ...{ full, proof, reviews: pass.reviews.values(), withheld: Object.keys(suspects).length },
      adopted: moved.map(({ row, review }) => ({ from: row.source_id, to: review.source_id })),
      isListed: (id) => listed.has(id),
      listed: () => new Map(shown.map((row) => [row.source_id, digestOf(row)])),
      removed: removed.map(({ source_id }) => source_id),
      restored: changes.changed.filter(({ restored }) => restored).map(({ review }) => review.source_id),
    },
  )
  const rows = ctx.rows(Review)
  const stamp = stampOf(source, ctx.now())
  for (const { row, review, set, rewritten } of changes.changed) {
    const judgement = rewritten
      ? { ...analyse(review), ...analysisMark(ctx, review), ...sensitiveFlag(review) }
      : answered(review, set)
    const kept = await rows.update(row.id, { ...set, ...judgement, ...stamp })
    if (rewritten && kept) {
      await notifyFlagged(ctx, kept)
      await enqueueAnalysis(ctx, kept)
    }
  }
  const inserted = await insertFresh(ctx, job, changes.fresh, stamp)
  for (const { id } of removed) await rows.update(id, { removed_at_source_at: ctx.now().toISOString() })
  if (full) await stampAll(ctx, changes.same, stamp)
  const restored = changes.changed.filter((one) => one.restored).length
  return {
    ...{ pass, proof, suspects, head, watermark: watermarkOf(pass, listing.watermark) },
    changed: changes.changed.length + inserted + removed.length,
    visible: shown.length + restored + inserted - removed.length,
  }
}

/** What a process that died between a row and its queue left behind: the rows say what is due. */
async function takeUp(ctx: OwnerContext, stored: readonly ReviewRow[]): Promise<void> {
  const now = ctx.now().toISOString()
  for (const row of stored) {
    const isDue = (row.auto_response_scheduled_at ?? now) <= now
    if (row.auto_response_status === 'pending' && isDue) await enqueueReply(ctx, row)
    if (row.is_flagged) await notifyFlagged(ctx, row)
    await enqueueAnalysis(ctx, row)
  }
}

const stampChunk = 500

/** Reviews that stand as they stood were read all the same. */
async function stampAll(ctx: OwnerContext, same: readonly ReviewRow[], stamp: object): Promise<void> {
  for (let from = 0; from < same.length; from += stampChunk) {
    const ids = same.slice(from, from + stampChunk).map(({ id }) => id)
    await ctx.rows(Review).updateMany(where.in('id', ids), stamp)
  }
}

/** A page that brings nothing new, and nothing newer than what was read before, ends a short reading. */
function enoughOf(stored: readonly ReviewRow[], watermark = '') {
  return (page: readonly SourceReview[]) => {
    const { fresh, changed } = reconcile(page, stored)
    const last = page.at(-1)
    const oldest = (last && changedAt(last)) ?? ''
    return fresh.length === 0 && changed.length === 0 && oldest < watermark
  }
}

async function insertFresh(ctx: OwnerContext, job: Job, fresh: readonly SourceReview[], stamp: object) {
  const { location, source } = job
  const rules = fresh.length === 0 ? null : await rulesOf(ctx, location.workspace_id)
  let inserted = 0
  for (const review of fresh) {
    const scheduled = scheduledFor(ctx, job, review, rules)
    const row = {
      ...{ workspace_id: location.workspace_id, location_id: location.id, source: source.name },
      ...toldOf(review),
      ...analyse(review),
      ...analysisMark(ctx, review),
      ...scheduled,
      ...stamp,
      ...{ is_read: false, is_flagged: false, ...sensitiveFlag(review) },
    }
    const made = await ctx.rows(Review).insert(row as never)
    inserted++
    if (made.auto_response_status === 'pending') await enqueueReply(ctx, made)
    await notifyFlagged(ctx, made)
    await enqueueAnalysis(ctx, made)
  }
  return inserted
}

function scheduledFor(
  ctx: OwnerContext,
  { source, location, random }: Job,
  review: SourceReview,
  rules: Rules,
) {
  const { replies } = source
  if (!replies) return {}
  const isTaken = replies.takes?.(review) ?? true
  if (!isTaken) return rules === null ? {} : ({ auto_response_status: 'skipped' } as const)
  return scheduleReply(review, rules, location, ctx.now(), random)
}

type Rules = Awaited<ReturnType<typeof rulesOf>>

/** Puts the reply of a pending review into its queue; a second time changes nothing. */
export async function enqueueReply(ctx: OwnerContext, review: ReviewRow): Promise<void> {
  await ctx.enqueue('send-reply', {
    ...{ workspace_id: review.workspace_id, key: review.id, payload: { review_id: review.id } },
    runAt: new Date(review.auto_response_scheduled_at ?? ctx.now()),
  })
}

/** The rules of the agency that owns a workspace. */
export async function rulesOf(ctx: OwnerContext, workspaceId: string) {
  const owner = await ctx.rows(WorkspaceOwner).get(workspaceId)
  return owner === null ? null : ctx.rows(AutoResponseRules).get(owner.agency_id)
}

/** Of the reviews that a listing missed, those of which the source itself says that they do not exist, with its words. */
async function gone(
  ctx: OwnerContext,
  { source, location }: Job,
  missing: readonly Held[],
  { reviews }: Pass,
) {
  const found: (Held & { readonly said: GoneStatement })[] = []
  for (const held of missing) {
    const said = await goneStatement(ctx, { source, location }, held.source_id, reviews.keys())
    if (said !== null) found.push({ ...held, said })
  }
  return found
}

/** What the source says of a review that does not exist. An answer that cannot be read proves nothing, and keeps the review. */
async function goneStatement(
  ctx: OwnerContext,
  { source, location }: Pick<Job, 'source' | 'location'>,
  sourceId: string,
  shown: Iterable<string>,
): Promise<GoneStatement | null> {
  try {
    return (await source.isGone?.(ctx, location, sourceId, shown)) ?? null
  } catch (error) {
    if (!isServiceFault(error) || error.code !== unreadableCode) throw error
    ctx.log.warn('a review that is missing could not be looked up and is kept', {
      ...{ location_id: location.id, source_id: sourceId, error: error.message },
    })
    return null
  }
}

const isVisible = (row: ReviewRow) => (row.removed_at_source_at ?? null) === null
/** It came another way than through the platform's own listing. */
const isImported = (row: ReviewRow) => row.gbp_api_synced_at === undefined && row.source === 'google'

const heldOf = (row: ReviewRow, { name }: ReviewSource): Held => ({
  ...{ id: row.id, source_id: row.source_id, created_date: row.created_date },
  seen_at: name === 'google' ? row.gbp_api_synced_at : row.synced_at,
})

const suspectsOf = ({ suspects = {} }: Job['listing']) => suspects as Suspects

function stampOf({ name, evidence }: ReviewSource, now: Date) {
  const at = now.toISOString()
  return { synced_at: at, ...(name === 'google' && evidence === 'counted' ? { gbp_api_synced_at: at } : {}) }
}

/** What a reply that came to the source, or went, changes although the words of the review are the same. */
const answered = ({ reply }: SourceReview, set: Partial<ReviewRow>) => {
  if (reply !== undefined) return { needs_response: false }
  return 'reply_text' in set ? { needs_response: true } : {}
}

const changedAt = ({ review_updated_at, review_created_at }: SourceReview) =>
  review_updated_at ?? review_created_at

function watermarkOf({ reviews }: Pass, before: string | undefined): string | undefined {
  let newest = before
  for (const review of reviews.values()) {
    const at = changedAt(review)
    if (at !== undefined && at > (newest ?? '')) newest = at
  }
  return newest
}
