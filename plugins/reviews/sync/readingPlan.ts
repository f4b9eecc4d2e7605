import type { OwnerContext, Row, Task } from 'renown'
import { dayMs } from 'renown'
import type { ReviewSource } from '../contract'
import { quietMs, storedEvidence } from '../evidence/reply-evidence'
import { type SyncProgress, storedProgress } from '../proof/progress'
import { confirmAfterMs } from '../proof/removals'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import type { ReviewListing } from '../records/ReviewListing'
import type { SyncResult } from './readReviews'

/** The input of a run of the job. */
export interface Sync {
  readonly location: Row<typeof ReviewedLocation>
  readonly listing: Row<typeof ReviewListing>
  readonly source: ReviewSource
  readonly task: Task
  readonly manual: boolean
}

/** Whether to read everything, not only the latest changes. */
export function needsWhole(ctx: OwnerContext, { listing, source, manual }: Sync): boolean {
  const sinceFullMs = ctx.now().getTime() - Date.parse(listing.last_full_at ?? '1970-01-01')
  const isSuspicious = Object.keys(listing.suspects ?? {}).length > 0
  // A wrong clock may have stored a time in the future.
  const isDue = Math.abs(sinceFullMs) >= dayMs || (isSuspicious && sinceFullMs > confirmAfterMs)
  return manual || isDue || source.evidence === 'none' || needsEvidence(ctx, { listing, source, sinceFullMs })
}

/**
 * Whether only a complete sync can end a doubt: replies are missing, or a day has passed and nothing proves yet that the
 * platform returns them. Rows of earlier versions have no evidence.
 */
function needsEvidence(
  ctx: OwnerContext,
  { listing, source, sinceFullMs }: Pick<Sync, 'listing' | 'source'> & { readonly sinceFullMs: number },
): boolean {
  if (!source.replies || Math.abs(sinceFullMs) < confirmAfterMs) return false
  const { replies, replies_missing = 0, replies_lost_at } = listing
  if (replies === undefined || replies_missing > 0) return true
  if (replies_lost_at === undefined) return false
  const { proven_at = '' } = storedEvidence(replies)
  const isQuiet = ctx.now().getTime() - Date.parse(replies_lost_at) >= quietMs
  return isQuiet && proven_at <= replies_lost_at
}

/** Returns the unfinished sync of an earlier attempt, if it can be continued. */
export function resumedOf({ listing, source }: Sync, isWhole: boolean): SyncProgress | null {
  const kept = storedProgress(listing.reading)
  if (kept === null || kept.reader !== source.name || (isWhole && !kept.full)) return null
  return { ...kept, interruptions: kept.interruptions + 1 }
}

/** Returns the sync that must run before the job is done. */
export function nextReading(
  ctx: OwnerContext,
  { location, listing, source, manual }: Sync,
  outcome: SyncResult,
  isPutOff: boolean,
): Pick<SyncProgress, 'full' | 'repeat'> | null {
  const { full, repeat } = outcome.progress
  if (source.evidence === 'none') return null
  if (!full) {
    const waits = !manual && (location.review_count_recheck_after ?? '') > ctx.now().toISOString()
    return disagrees(outcome) && !waits && !isPutOff ? { full: true, repeat: false } : null
  }
  // A complete sync whose count does not match is repeated once. After that, the difference waits for a day.
  const { gap } = outcome.proof
  const isFirst = gap === 'interrupted' && listing.last_full_at === undefined
  return gap === undefined || gap === 'unread' || repeat || isFirst ? null : { full: true, repeat: true }
}

/** Whether the source's count differs from Renown's, apart from reviews that wait for a second sync. */
export const disagrees = ({ progress, visible, suspects }: SyncResult) =>
  progress.last_total !== null && progress.last_total !== visible - Object.keys(suspects).length

/**
 * Returns when the last complete sync was. An incomplete one counts as an attempt, so the next is tomorrow or
 * on request. After an interrupted first sync, the next is due in an hour.
 */
export function wholeAt({ last_full_at }: Sync['listing'], { proof }: SyncResult, now: Date): Date {
  const isFirst = proof.gap === 'interrupted' && last_full_at === undefined
  return isFirst ? new Date(now.getTime() - dayMs + confirmAfterMs) : now
}
