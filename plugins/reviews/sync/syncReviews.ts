import {
  dayMs,
  isPassing,
  isServiceFault,
  type OwnerContext,
  type QueueDeclaration,
  type Row,
  type SyncTarget,
  where,
} from 'renown'
import * as v from 'valibot'
import type { ReviewSource } from '../contract'
import { notReadyCode } from '../contract'
import { gapWords } from '../proof/pass'
import { begin, type SyncProgress } from '../proof/progress'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import { WorkspaceOwner } from '../records/WorkspaceOwner'
import { sourceOf } from '../sources/source-of'
import {
  enterLong,
  isLong,
  leaveLong,
  readingsAtOnce,
  requireSlot,
  type SlotRequest,
  waitingForSlotCode,
} from './longReadings'
import { notifyUnreadable } from './notifyUnreadable'
import { disagrees, needsWhole, nextReading, resumedOf, type Sync, wholeAt } from './readingPlan'
import { isReadNow } from './readNow'
import { beginning, figuresOf, readReviews, type SyncResult } from './readReviews'

const everyMs = 15 * 60_000
/** How long a complete sync waits if no slot was free. */
const putOffMs = 60_000

const payload = v.strictObject({
  location_id: v.string(),
  /** True if a person requested the sync. It then reads to the end. */
  manual: v.optional(v.boolean(), false),
})

/**
 * Syncs a location's reviews: the newest ones, all of them once a day, and all of them if the count differs.
 */
export const syncReviews: QueueDeclaration<typeof payload> = {
  summary: "Reads a location's reviews from its source",
  payload,
  atOnce: readingsAtOnce,
  async run(ctx, { location_id, manual }, task) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    const listing = await listingOf(ctx, location_id)
    const source = location && sourceOf(ctx, location)
    if (!location || !listing || !source || !location.is_active) return
    const target = targetOf(location, source)
    try {
      const isManual = manual || isReadNow(listing)
      const outcome = await sync(ctx, { location, listing, source, task, manual: isManual })
      if (outcome === null) return
      await ctx.syncs.ended(target, {
        status: isGood(outcome) ? 'succeeded' : 'partial',
        items_seen: outcome.progress.distinct,
        items_changed: outcome.changed,
        complete: outcome.proof.complete,
        ...(outcome.error === undefined ? {} : { error: outcome.error }),
      })
    } catch (error) {
      const goesOn = isServiceFault(error) && goingOn.has(error.code ?? '')
      if (!task.signal.aborted && !goesOn) await ctx.syncs.failed(target, error)
      if (isServiceFault(error) && error.kind === 'unsupported')
        await source.gone?.(ctx, location, error.message)
      throw error
    }
  },
  async onDeadLetter(ctx, { location_id }, error) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    const source = location && sourceOf(ctx, location)
    if (location) await source?.failed?.(ctx, location, error)
    if (location) await notifyUnreadable(ctx, location, error)
    if (location && source && error.code === notReadyCode) {
      await ctx.syncs.failed(targetOf(location, source), new Error(error.message))
    }
    // After a permanent failure, the next attempt waits, because nothing has changed.
    const listing = await listingOf(ctx, location_id)
    const waitMs = error.kind === 'unsupported' ? dayMs : (source?.everyMs ?? everyMs)
    const due_at = new Date(ctx.now().getTime() + waitMs).toISOString()
    // A temporary fault keeps the progress of the sync. Any other fault may be caused by that progress, so it
    // is removed.
    const reading = isPassing(error) ? {} : { reading: undefined }
    if (listing) await ctx.rows(ReviewListing).update(listing.id, { due_at, ...reading })
  },
}

const isGood = ({ proof, doubt }: SyncResult) =>
  doubt === null && (proof.complete || proof.gap === 'shows_a_part')

/** Codes of faults after which the same sync soon continues. */
const goingOn = new Set([notReadyCode, waitingForSlotCode, 'paced'])

const targetOf = (
  { id, workspace_id }: Row<typeof ReviewedLocation>,
  { name }: ReviewSource,
): SyncTarget => ({ workspace_id, location_id: id, kind: 'reviews', source: name })

/** The result of a run of the job. Null if there is nothing to do yet. */
type Synced = (SyncResult & { readonly error?: string }) | null

async function sync(ctx: OwnerContext, given: Sync): Promise<Synced> {
  const { id: location_id, workspace_id } = given.location
  const owner = await ctx.rows(WorkspaceOwner).get(workspace_id)
  const turn = { location_id, agency_id: owner?.agency_id ?? workspace_id }
  try {
    return await readInTurn(ctx, given, turn)
  } finally {
    leaveLong(ctx, turn)
  }
}

async function readInTurn(ctx: OwnerContext, given: Sync, turn: SlotRequest): Promise<Synced> {
  const { location, source } = given
  const isWanted = needsWhole(ctx, given)
  const resumed = resumedOf(given, isWanted)
  // The next sync of a large location waits for a slot before its first page, because an interrupted sync
  // proves nothing.
  const isLarge = source.evidence !== 'none' && isLong(location.total_reviews)
  const isPutOff = isWanted && resumed === null && isLarge && !enterLong(ctx, turn)
  if (isPutOff && isRecent(ctx, location)) return putOff(ctx, given)
  await ctx.syncs.began(targetOf(location, source))
  const first = { full: isWanted && !isPutOff, repeat: false, changed: 0 }
  let progress = resumed ?? (await begun(ctx, given, first))
  let { listing } = given
  for (;;) {
    const begunAt = progress
    const outcome = await readReviews(ctx, {
      ...given,
      listing,
      progress,
      random: ctx.random,
      afterPage: ({ pages, restarts }) =>
        requireSlot(ctx, turn, {
          pages: restarts === begunAt.restarts ? pages - begunAt.pages : pages,
          isFirst: given.listing.last_full_at === undefined,
        }),
    })
    const wanted = nextReading(ctx, given, outcome, isPutOff)
    const { full, last_total } = outcome.progress
    const waits = wanted !== null && !full && isLong(last_total ?? 0) && !enterLong(ctx, turn)
    const next = waits ? null : wanted
    if (next === null) {
      await stamp(ctx, given, outcome, isPutOff || waits)
      const { gap } = outcome.proof
      const isExpected = !outcome.progress.full || source.evidence === 'none'
      // Whatever a sync can prove, people learn of a review that could not be read.
      const isRead = gap === undefined || (isExpected && gap !== 'unread')
      const why = isRead ? [] : [`The reading was not complete: ${gapText(outcome)}`]
      const error = [...why, ...(outcome.doubt === null ? [] : [outcome.doubt])].join('. ')
      return error === '' ? outcome : { ...outcome, error }
    }
    listing = { ...listing, suspects: { ...outcome.suspects } }
    progress = await begun(ctx, given, { ...next, changed: outcome.changed })
  }
}

const begun = async (
  ctx: OwnerContext,
  { location, source }: Sync,
  how: Pick<SyncProgress, 'full' | 'repeat' | 'changed'>,
): Promise<SyncProgress> =>
  begin({
    ...how,
    reader: source.name,
    ...(await beginning(ctx, { location_id: location.id, source: source.source })),
  })

function gapText({ proof, progress }: SyncResult): string {
  const { gap } = proof
  if (gap === undefined) return ''
  if (gap !== 'unread') return gapWords[gap]
  return `${gapWords[gap]} (${progress.unread}, the first for its ${progress.unread_reason})`
}

/** Whether the last sync is so recent that the next one is not due. */
const isRecent = (ctx: OwnerContext, { last_synced_at }: Sync['location']) =>
  Math.abs(ctx.now().getTime() - Date.parse(last_synced_at ?? '1970-01-01')) < everyMs

/** Delays this sync, because enough long syncs are running. */
async function putOff(ctx: OwnerContext, { listing }: Sync): Promise<null> {
  const due_at = new Date(ctx.now().getTime() + putOffMs).toISOString()
  await ctx.rows(ReviewListing).update(listing.id, { due_at })
  return null
}

async function stamp(
  ctx: OwnerContext,
  { location, listing, source }: Sync,
  outcome: SyncResult,
  isPutOff: boolean,
) {
  const { progress, proof, suspects, head } = outcome
  const { full, last_total: total, average, newest = '' } = progress
  const now = ctx.now()
  const at = now.toISOString()
  const isWhole = full && proof.complete
  const isPartial = source.evidence === 'none'
  const agrees = isPartial || !disagrees(outcome)
  const nextMs = isPutOff ? putOffMs : (source.everyMs ?? everyMs)
  // The note of the log's end comes last: until then, the proof knows that the location may have the previous figures.
  await ctx.rows(ReviewedLocation).update(location.id, {
    last_synced_at: at,
    ...(isWhole ? { last_full_review_sync_at: at } : {}),
    ...(total === 0 ? { average_rating: undefined } : {}),
    ...(average === undefined || total === 0 ? {} : { average_rating: average }),
    ...(total === null ? {} : { total_reviews: total }),
    ...(isWhole || agrees ? { review_count_recheck_after: undefined } : {}),
    ...(full && !agrees ? { review_count_recheck_after: new Date(now.getTime() + dayMs).toISOString() } : {}),
  })
  await ctx.rows(ReviewListing).update(listing.id, {
    suspects: { ...suspects },
    reading: undefined,
    reply_tally: undefined,
    heads: { ...listing.heads, [source.source]: head },
    // A page that an earlier attempt left open is only known to be stored after a full sync.
    ...(full || listing.open_pages === undefined ? { open_pages: undefined } : {}),
    due_at: new Date(now.getTime() + nextMs).toISOString(),
    ...(newest > (listing.watermark ?? '') ? { watermark: newest } : {}),
    ...(total === null ? {} : { total }),
    ...(average === undefined && total === null
      ? {}
      : { figures: { ...figuresOf(progress, listing.figures ?? {}) } }),
    ...(full ? { gap: proof.gap } : {}),
    ...(full && !isPartial ? { last_full_at: wholeAt(listing, outcome, now).toISOString() } : {}),
  })
}

async function listingOf(ctx: OwnerContext, location_id: string) {
  const own = where.eq('location_id', location_id)
  const [listing] = await ctx.rows(ReviewListing).list({ where: own, limit: 1 })
  return listing ?? null
}
