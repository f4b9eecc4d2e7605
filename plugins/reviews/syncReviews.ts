import {
  isServiceFault,
  type OwnerContext,
  type QueueDeclaration,
  type Row,
  type SyncTarget,
  type Task,
  where,
} from 'renown'
import * as v from 'valibot'
import { gapWords } from './pass'
import { ReviewedLocation } from './ReviewedLocation'
import { ReviewListing } from './ReviewListing'
import { isReadNow } from './readNow'
import { type Outcome, readReviews } from './readReviews'
import { confirmAfterMs } from './removals'
import { sourceOf } from './sources'
import { notReadyCode } from './sources/dataforseo-api'
import type { ReviewSource } from './sources/source'
import { tellUnread } from './tellUnread'

const dayMs = 86_400_000
const everyMs = 15 * 60_000

const payload = v.strictObject({
  location_id: v.string(),
  /** A person asked for it: read to the end, whatever was found before. */
  manual: v.optional(v.boolean(), false),
})

/** Reads a location's reviews: a look at the newest, once a day to the end, and to the end when the count disagrees. */
export const syncReviews: QueueDeclaration<typeof payload> = {
  summary: "Reads a location's reviews from its source",
  payload,
  atOnce: 4,
  async run(ctx, { location_id, manual }, task) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    const listing = await listingOf(ctx, location_id)
    const source = location && sourceOf(ctx, location)
    if (!location || !listing || !source || !location.is_active) return
    const target = targetOf(location, source)
    await ctx.syncs.began(target)
    try {
      const outcome = await sync(ctx, {
        location,
        listing,
        source,
        task,
        manual: manual || isReadNow(listing),
      })
      await ctx.syncs.ended(target, {
        status: outcome.proof.complete || outcome.proof.gap === 'shows_a_part' ? 'succeeded' : 'partial',
        ...{ items_seen: outcome.pass.reviews.size, items_changed: outcome.changed },
        ...{
          complete: outcome.proof.complete,
          ...(outcome.error === undefined ? {} : { error: outcome.error }),
        },
      })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const goesOn = isServiceFault(error) && error.code === notReadyCode
      if (!task.signal.aborted && !goesOn) {
        await ctx.syncs.ended(target, { ...failed, error: message.slice(0, 500) })
      }
      if (isServiceFault(error) && error.kind === 'unsupported')
        await source.gone?.(ctx, location, error.message)
      throw error
    }
  },
  async buried(ctx, { location_id }, error) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    const source = location && sourceOf(ctx, location)
    if (location) await source?.failed?.(ctx, location, error)
    if (location) await tellUnread(ctx, location, error)
    if (location && source && error.code === notReadyCode) {
      await ctx.syncs.ended(targetOf(location, source), { ...failed, error: error.message })
    }
    // What failed for good is not tried again at once: nothing has changed.
    const listing = await listingOf(ctx, location_id)
    const waitMs = error.kind === 'unsupported' ? dayMs : (source?.everyMs ?? everyMs)
    const due_at = new Date(ctx.now().getTime() + waitMs).toISOString()
    if (listing) await ctx.rows(ReviewListing).update(listing.id, { due_at })
  },
}

const failed = { status: 'failed', items_seen: 0, items_changed: 0, complete: false } as const

const targetOf = (
  { id, workspace_id }: Row<typeof ReviewedLocation>,
  { reader }: ReviewSource,
): SyncTarget => ({ workspace_id, location_id: id, kind: 'reviews', source: reader })

interface Sync {
  readonly location: Row<typeof ReviewedLocation>
  readonly listing: Row<typeof ReviewListing>
  readonly source: ReviewSource
  readonly task: Task
  readonly manual: boolean
}

async function sync(ctx: OwnerContext, { manual, ...given }: Sync): Promise<Outcome & { error?: string }> {
  const { location, listing } = given
  const job = { ...given, random: ctx.random }
  const now = ctx.now()
  const sinceFullMs = now.getTime() - Date.parse(listing.last_full_at ?? '1970-01-01')
  const isSuspicious = Object.keys(listing.suspects ?? {}).length > 0
  const isDue = sinceFullMs >= dayMs || (isSuspicious && sinceFullMs > confirmAfterMs)
  const isPartial = given.source.evidence === 'none'
  let full = manual || isDue || isPartial
  let outcome = await readReviews(ctx, { ...job, full })
  const waits = !manual && (location.review_count_recheck_after ?? '') > now.toISOString()
  if (!full && disagrees(outcome) && !waits) {
    full = true
    outcome = await again(ctx, job, outcome)
  }
  // A whole reading whose count did not come out is read once more; then the difference waits for a day.
  if (full && outcome.proof.gap !== undefined && !isPartial) outcome = await again(ctx, job, outcome)
  await stamp(ctx, given, outcome, full)
  if (outcome.proof.gap === undefined || isPartial || !full) return outcome
  return { ...outcome, error: `The reading was not complete: ${gapWords[outcome.proof.gap]}` }
}

/** The rows of the last reading are what the next is compared with. */
async function again(
  ctx: OwnerContext,
  job: Omit<Parameters<typeof readReviews>[1], 'full'>,
  before: Outcome,
): Promise<Outcome> {
  const listing = { ...job.listing, suspects: { ...before.suspects } }
  const outcome = await readReviews(ctx, { ...job, listing, full: true })
  return { ...outcome, changed: outcome.changed + before.changed }
}

/** The source counts other than we do, and the difference is none that waits for a second reading. */
const disagrees = ({ pass, visible, suspects }: Outcome) =>
  pass.last_total !== null && pass.last_total !== visible - Object.keys(suspects).length

async function stamp(
  ctx: OwnerContext,
  { location, listing, source }: Omit<Sync, 'manual'>,
  outcome: Outcome,
  full: boolean,
) {
  const { pass, proof, suspects, watermark, head } = outcome
  const now = ctx.now()
  const at = now.toISOString()
  const isWhole = full && proof.complete
  const isPartial = source.evidence === 'none'
  const agrees = isPartial || !disagrees(outcome)
  const { last_total: total } = pass
  await ctx.rows(ReviewListing).update(listing.id, {
    suspects: { ...suspects },
    heads: { ...listing.heads, [source.name]: head },
    due_at: new Date(now.getTime() + (source.everyMs ?? everyMs)).toISOString(),
    ...(watermark === undefined ? {} : { watermark }),
    ...(total === null ? {} : { total }),
    ...(full ? { gap: proof.gap } : {}),
    // A reading that was not complete counts as tried: the next whole one is tomorrow's, or asked for.
    ...(full && !isPartial ? { last_full_at: at } : {}),
  })
  await ctx.rows(ReviewedLocation).update(location.id, {
    last_synced_at: at,
    ...(isWhole ? { last_full_review_sync_at: at } : {}),
    ...(pass.average === undefined ? {} : { average_rating: pass.average }),
    ...(total === null ? {} : { total_reviews: total }),
    ...(isWhole || agrees ? { review_count_recheck_after: undefined } : {}),
    ...(full && !agrees ? { review_count_recheck_after: new Date(now.getTime() + dayMs).toISOString() } : {}),
  })
}

async function listingOf(ctx: OwnerContext, location_id: string) {
  const own = where.eq('location_id', location_id)
  const [listing] = await ctx.rows(ReviewListing).list({ where: own, limit: 1 })
  return listing ?? null
}
