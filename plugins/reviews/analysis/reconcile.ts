import { dayMs } from 'renown'
import type { ReviewSource, SourceReview } from '../contract'
import { believedReview } from './believed'
import type { ReviewRow } from './review-row'
import { originalOf } from './translation'

export type { ReviewRow } from './review-row'

/** What one sync changes in the rows of its location and source. */
export interface Changes {
  readonly fresh: readonly SourceReview[]
  readonly changed: readonly {
    readonly row: ReviewRow
    readonly review: SourceReview
    readonly set: Partial<ReviewRow>
    /** Whether the review was marked as removed and is shown again. */
    readonly restored: boolean
    /** Whether its text or stars changed. */
    readonly rewritten: boolean
  }[]
  /** Rows that the sync found unchanged. */
  readonly same: readonly ReviewRow[]
  /** All reviews as Renown believes them now, in the order of the source. The observation log contains them. */
  readonly believed: readonly SourceReview[]
  /** Rows with a reply that the source showed, said not to exist, or left out. */
  readonly replies: Readonly<Record<'shown' | 'missing' | 'unknown', readonly ReviewRow[]>>
}

/**
 * Compares the fetched reviews with stored rows. A row from another source may be the same review. It then
 * gets the new id.
 */
export function reconcile(
  seen: Iterable<SourceReview>,
  stored: readonly ReviewRow[],
  {
    adopt = () => undefined,
    isTurned = () => false,
    absences,
  }: {
    readonly adopt?: (review: SourceReview) => ReviewRow | undefined
    readonly isTurned?: NonNullable<ReviewSource['isTurned']> | undefined
    readonly absences?: ReviewSource['absences'] | undefined
  } = {},
): Changes {
  const byId = new Map(stored.map((row) => [row.source_id, row]))
  const fresh: SourceReview[] = []
  const changed: Changes['changed'][number][] = []
  const same: ReviewRow[] = []
  const believed: SourceReview[] = []
  const replies = { shown: [] as ReviewRow[], missing: [] as ReviewRow[], unknown: [] as ReviewRow[] }
  for (const said of seen) {
    const row = byId.get(said.source_id) ?? adopt(said)
    if (!row) {
      const { saidNone: _, doesNotReplace: __, ...review } = said
      fresh.push(review)
      believed.push(review)
      continue
    }
    const { review, storedReply } = believedReview(said, row, absences)
    believed.push(review)
    if (storedReply !== undefined) replies[storedReply].push(row)
    const told = sourceFieldsOf(review)
    const set = differences(row, told)
    const restored = typeof row.removed_at_source_at === 'string'
    if (restored) set.removed_at_source_at = null
    const hasNewWords = originalOf(row.review_text) !== originalOf(review.review_text)
    const rewritten = hasNewWords || 'star_rating' in set || isTurned(row.source_metadata, review)
    if (Object.keys(set).length > 0) changed.push({ row, review, set, restored, rewritten })
    else same.push(row)
  }
  return { fresh, changed, same, believed, replies }
}

/** Returns the fields whose value comes from the source. */
export function sourceFieldsOf(review: SourceReview): Partial<ReviewRow> & Pick<ReviewRow, 'source_id'> {
  const {
    reply,
    metadata,
    recommends: _,
    rejectedReply: __,
    saidNone: ___,
    doesNotReplace: ____,
    ...fields
  } = review
  return {
    ...fields,
    ...(metadata === undefined ? {} : { source_metadata: { ...metadata } }),
    reply_text: reply?.text,
    reply_created_at: reply?.at,
  }
}

function differences(row: ReviewRow, told: Partial<ReviewRow>): Partial<ReviewRow> {
  const set: Record<string, unknown> = {}
  for (const name of decided) {
    if (name === 'review_language' && told[name] === undefined) continue
    if (!isSame(row[name], told[name])) set[name] = told[name]
  }
  return set as Partial<ReviewRow>
}

/** Fields whose value comes from the source. */
const decided = [
  'source_id',
  'google_review_id',
  'reviewer_name',
  'reviewer_photo_url',
  'reviewer_is_local_guide',
  'star_rating',
  'review_text',
  'review_language',
  'review_created_at',
  'review_updated_at',
  'reply_text',
  'reply_created_at',
  'source_metadata',
] satisfies readonly (keyof ReviewRow)[]

const isSame = (a: unknown, b: unknown) => (a ?? null) === (b ?? null) || Bun.deepEquals(a, b)

const prefixLength = 40

/**
 * Finds the row of a review among rows from other sources: same stars, same name, same beginning of the text,
 * written within a day. Each row matches once, and only if exactly one fits.
 */
export function createAdoption(rows: readonly ReviewRow[]): (review: SourceReview) => ReviewRow | undefined {
  const left = new Set(rows)
  return (review) => {
    const fitting = [...left].filter((row) => isAlike(row, review))
    const [only] = fitting
    if (!only || fitting.length > 1) return undefined
    left.delete(only)
    return only
  }
}

function isAlike(row: ReviewRow, review: SourceReview): boolean {
  const apartMs = Math.abs(
    Date.parse(String(row.review_created_at)) - Date.parse(String(review.review_created_at)),
  )
  return (
    (row.star_rating ?? null) === review.star_rating &&
    row.reviewer_name !== undefined &&
    row.reviewer_name === review.reviewer_name &&
    apartMs <= dayMs &&
    beginning(row.review_text) === beginning(review.review_text)
  )
}

const beginning = (text: string | undefined) =>
  originalOf(text).normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, prefixLength)
