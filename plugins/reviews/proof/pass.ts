import { isServiceFault, recoverIf, type ServiceFault } from 'renown'
import type { Evidence, Listing, SourcePage } from '../contract'
import { afterPage, restartProgress, type StoredPage, type SyncProgress } from './progress'

/** The functions with which a sync stores its pages. */
export interface PageSink {
  now(): Date
  /** Stores the content of a page. */
  store(page: SourcePage, progress: SyncProgress): Promise<StoredPage>
  /** Stores the progress of the sync, so that another attempt can continue there. */
  keep(progress: SyncProgress): Promise<void>
  /** Prepares a new start of the sync. */
  anew(): Promise<Pick<SyncProgress, 'id' | 'began_at' | 'visible'>>
  /** Whether to start again if the count changed during an interruption. */
  readonly provesRemovals: boolean
}

/**
 * Reads a list from the current progress to its end, and stores each page. If a page fails, throws its fault,
 * and the next attempt continues there. The sync starts again when the platform no longer accepts its page
 * token, and once when the count changed during an interruption.
 */
export async function readPages(listing: Listing, from: SyncProgress, sink: PageSink): Promise<SyncProgress> {
  let progress = from
  const restart = async (reason: string) => {
    progress = restartProgress(progress, await sink.anew(), reason)
    await sink.keep(progress)
  }
  while (progress.state === 'open') {
    const page = await nextPage(listing, progress)
    if (page === null) {
      await restart('the page token had expired')
      continue
    }
    const isResumed = progress === from && from.pages > 0
    const stored = await sink.store(page, progress)
    if (isResumed && sink.provesRemovals && hasMoved(progress, page)) {
      await restart('the number of reviews changed while the sync was interrupted')
      continue
    }
    progress = afterPage(progress, page, stored, sink.now())
    await sink.keep(progress)
  }
  return progress
}

/** Maximum restarts if a platform refuses its own page tokens. */
const restartsMax = 3

/**
 * Returns null if the platform refuses the page token. A refusal of the first page, which has no token, is
 * thrown.
 */
async function nextPage(listing: Listing, { token, restarts }: SyncProgress): Promise<SourcePage | null> {
  const isOfToken = (error: unknown): error is ServiceFault =>
    token !== null && restarts < restartsMax && isServiceFault(error) && error.kind === 'permanent'
  const page = async () => listing.page(token)
  return page().catch(recoverIf(isOfToken, () => null))
}

const hasMoved = ({ full, restarts, last_total }: SyncProgress, { total }: SourcePage) =>
  full && restarts === 0 && last_total !== null && total !== last_total

/** Why a sync is incomplete, in words for people. */
export const gapWords = {
  shows_a_part: 'the source returned only a part of its reviews',
  unread: 'the source returned unreadable reviews',
  looped: 'the source returned the same page twice',
  cut_off: 'it did not reach the end',
  interrupted: 'it was interrupted and continued later',
  total_missing: 'the source did not say how many there are',
  total_changed: 'the count changed during the sync',
  total_differs: 'the count differs from the number of reviews on the pages',
} as const
export type Gap = keyof typeof gapWords

/** Whether a sync was complete, and why not. Stored with every observation. */
export interface Proof {
  readonly evidence: Evidence
  readonly complete: boolean
  /** Why the sync was incomplete. */
  readonly gap?: Gap
  readonly pages: number
  readonly items: number
  readonly distinct: number
  readonly first_total: number | null
  readonly last_total: number | null
  readonly began_at: string
  readonly ended_at: string
  /** Number of times that it was interrupted and started again. */
  readonly interruptions?: number
  readonly restarts?: number
}

/**
 * Returns the proof of a sync. The sync is complete if it started at the first page and was not interrupted.
 * It must also end where the source said so, get no page twice and read every row. If the source counts, the
 * count must not change, and must equal the number of distinct reviews.
 */
export function proofOf(progress: SyncProgress, evidence: Evidence, ended_at: string): Proof {
  const gap = gapOf(progress, evidence)
  const { pages, items, distinct, first_total, last_total, began_at, interruptions, restarts } = progress
  return {
    evidence,
    complete: gap === undefined,
    ...(gap === undefined ? {} : { gap }),
    pages,
    items,
    distinct,
    first_total,
    last_total,
    began_at,
    ended_at,
    ...(interruptions === 0 ? {} : { interruptions }),
    ...(restarts === 0 ? {} : { restarts }),
  }
}

function gapOf(progress: SyncProgress, evidence: Evidence): Gap | undefined {
  if (progress.unread > 0) return 'unread'
  if (evidence === 'none' || progress.is_part) return 'shows_a_part'
  if (progress.state === 'looped') return 'looped'
  if (progress.state !== 'ended') return 'cut_off'
  if (progress.interruptions > 0) return 'interrupted'
  if (evidence === 'paged') return undefined
  if (progress.first_total === null || progress.last_total === null) return 'total_missing'
  if (progress.first_total !== progress.last_total) return 'total_changed'
  return progress.last_total === progress.distinct ? undefined : 'total_differs'
}
