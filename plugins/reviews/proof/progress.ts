import * as v from 'valibot'
import type { SourcePage, SourceReview } from '../contract'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const total = v.nullable(count)

/** Why a sync has no next page. `open` means that it has one. */
const states = ['open', 'ended', 'looped', 'cut_off'] as const

const schema = v.object({
  /** Marks the rows that a complete sync has returned. */
  id: v.string(),
  reader: v.string(),
  /** Whether it reads to the end, not only until a page has nothing new. */
  full: v.boolean(),
  /** Whether this is the second full sync, after an incomplete one. */
  repeat: v.boolean(),
  began_at: v.string(),
  /** When the last page was stored. */
  page_at: v.string(),
  state: v.picklist(states),
  /** Token of the next page. Null for the first. */
  token: v.nullable(v.string()),
  /** Hashes of all tokens so far, to detect a list that never ends. */
  tokens: v.array(v.string()),
  pages: count,
  /** Number of reviews on all pages. A review on two pages counts twice. */
  items: count,
  /** Number of distinct reviews on all pages. */
  distinct: count,
  first_total: total,
  last_total: total,
  average: v.optional(v.number()),
  /** The latest change of any review so far. */
  newest: v.optional(v.string()),
  /** Whether some reviews of the source look the same. */
  is_part: v.boolean(),
  /** Number of unreadable rows, and the error of the first. */
  unread: count,
  unread_reason: v.optional(v.string()),
  /** Number of attempts that continued it. */
  interruptions: count,
  /** Number of restarts, and the reason for the last one. */
  restarts: count,
  restart_reason: v.optional(v.string()),
  /** Number of rows that changed since the job began. */
  changed: count,
  /** Whether it has written to the observation log. */
  has_entries: v.boolean(),
  /** Number of reviews that were listed in Renown before the sync. */
  visible: count,
})

/**
 * The progress of a sync: everything that a later attempt needs to continue at the next page. Stored with the
 * sync state.
 */
export type SyncProgress = v.InferOutput<typeof schema>

/** The properties of a sync before its first page. */
export type Beginning = Pick<
  SyncProgress,
  'id' | 'reader' | 'full' | 'repeat' | 'began_at' | 'visible' | 'changed'
>

export const begin = (given: Beginning): SyncProgress => ({
  ...given,
  page_at: given.began_at,
  state: 'open',
  token: null,
  tokens: [],
  pages: 0,
  items: 0,
  distinct: 0,
  first_total: null,
  last_total: null,
  is_part: false,
  unread: 0,
  interruptions: 0,
  restarts: 0,
  has_entries: false,
})

/** Reads a stored progress. Returns null if it is invalid, such as one of another version. */
export function storedProgress(kept: unknown): SyncProgress | null {
  const read = v.safeParse(schema, kept)
  return read.success ? read.output : null
}

/** Returns the same sync at its first page. Stored pages stay, but do not count for completeness. */
export const restartProgress = (
  { restarts, reader, full, repeat, changed }: SyncProgress,
  again: Pick<SyncProgress, 'id' | 'began_at' | 'visible'>,
  restart_reason: string,
): SyncProgress => ({
  ...begin({ reader, full, repeat, changed, ...again }),
  restarts: restarts + 1,
  restart_reason,
})

/** More pages than any location has. A list with more counts as endless. */
const pagesMax = 5_000
/** A sync also counts as interrupted if this many milliseconds passed between two pages. */
const pauseMaxMs = 120_000

/** The result of storing a page. */
export interface StoredPage {
  /** Number of its reviews that this sync had not returned before. */
  readonly distinct: number
  readonly changed: number
  readonly hasEntries: boolean
  /** Whether it is not certain which of its reviews is which. */
  readonly isPart?: boolean
  /** Whether no other page is needed. */
  readonly isEnough: boolean
}

/** Returns the progress after a page. */
export function afterPage(
  before: SyncProgress,
  page: SourcePage,
  stored: StoredPage,
  now: Date,
): SyncProgress {
  const { reviews, next, average, unread = [] } = page
  const token = next === null ? null : fingerprint(next)
  const pages = before.pages + 1
  const pauseMs = Math.abs(now.getTime() - Date.parse(before.page_at))
  const isPaused = before.pages > 0 && pauseMs > pauseMaxMs
  const reason = before.unread_reason ?? unread[0]?.reason
  const newest = newestOf(before.newest, reviews)
  return {
    ...before,
    page_at: now.toISOString(),
    pages,
    token: next,
    state: stateAfter(before, token, stored.isEnough || pages >= pagesMax),
    tokens: token === null ? before.tokens : [...before.tokens, token],
    items: before.items + reviews.length,
    distinct: before.distinct + stored.distinct,
    first_total: before.pages === 0 ? page.total : before.first_total,
    last_total: page.total,
    ...(average === undefined ? {} : { average }),
    ...(newest === undefined ? {} : { newest }),
    is_part: before.is_part || page.isPart === true || stored.isPart === true,
    unread: before.unread + unread.length,
    ...(reason === undefined ? {} : { unread_reason: reason }),
    interruptions: before.interruptions + (isPaused ? 1 : 0),
    changed: before.changed + stored.changed,
    has_entries: before.has_entries || stored.hasEntries,
  }
}

function stateAfter(before: SyncProgress, token: string | null, isEnough: boolean): SyncProgress['state'] {
  if (token === null) return 'ended'
  if (before.tokens.includes(token)) return 'looped'
  return isEnough ? 'cut_off' : 'open'
}

/** Hashes a page token, because tokens can be long and each page has one. */
const fingerprint = (token: string) =>
  new Bun.CryptoHasher('sha256').update(token).digest('base64url').slice(0, 12)

/** Returns when a review last changed at its source. */
export const changedAt = ({ review_updated_at, review_created_at }: SourceReview) =>
  review_updated_at ?? review_created_at

function newestOf(before: string | undefined, reviews: readonly SourceReview[]): string | undefined {
  let newest = before
  for (const review of reviews) {
    const at = changedAt(review)
    if (at !== undefined && at > (newest ?? '')) newest = at
  }
  return newest
}
