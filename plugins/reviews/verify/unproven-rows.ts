import { hourMs, minuteMs, type Row } from 'renown'
import { isJudgedOtherwise } from '../analysis/judgeAgain'
import type { ReviewRow } from '../analysis/reconcile'
import { isDigestOf, type ReviewContent } from '../proof/digest'
import { judgementDigest } from '../proof/judgementDigest'
import type { Figures } from '../proof/ledger'
import type { ProvenOwn } from '../proof/provenOwn'
import type { replay } from '../proof/replay'
import { isVisible } from '../proof/storedReviews'
import type { ReviewedLocation } from '../records/ReviewedLocation'

type Replayed = Pick<Awaited<ReturnType<typeof replay>>, 'standing' | 'past' | 'whole'>

/** What a log proves, and what may differ from it for a moment. */
export interface Proven extends Replayed {
  readonly own: ProvenOwn
  /**
   * The digests that reviews had since pages whose rows may not all be stored, null if they were not current. Empty if every page
   * is stored.
   */
  readonly earlier: ReadonlyMap<string, ReadonlySet<string | null>>
  /** Reviews in entries that were appended while the rows were read. */
  readonly moving: ReadonlySet<string>
  readonly workspaceId: string
  readonly now: Date
  /** The readings of sample data are at other times. */
  readonly isDemo: boolean
}

/**
 * Returns the rows of a location and source that its log does not prove, as lines that start with the source
 * id.
 */
export function unprovenRows(proven: Proven, rows: readonly ReviewRow[]): string[] {
  const { standing, moving, earlier } = proven
  const visible = new Set(rows.filter(isVisible).map(({ source_id }) => source_id))
  const isNew = (id: string) => earlier.get(id)?.has(null) === true
  const lost = [...standing.keys()]
    .filter((id) => !visible.has(id) && !isNew(id) && !moving.has(id))
    .map((id) => `${id}: no row`)
  const found = rows.flatMap((row) => {
    if (moving.has(row.source_id)) return []
    const why = whyUnproven(proven, row)
    return why === null ? [] : [`${row.source_id}: ${why}`]
  })
  return [...lost, ...found]
}

function whyUnproven(proven: Proven, row: ReviewRow): string | null {
  const { standing, past, whole } = proven
  const { source_id: id } = row
  // The page that is being stored may not have reached this row.
  const earlier = [...(proven.earlier.get(id) ?? [])]
  const digests = [isVisible(row) ? standing.get(id) : past.get(id), ...earlier]
  const told = digests.filter((digest) => digest !== undefined && digest !== null)
  // A removed row that is current in the log is reported with those that have no row.
  if (told.length === 0) return standing.has(id) || earlier.length > 0 ? null : 'never seen'
  if (row.workspace_id !== proven.workspaceId) return 'in another workspace'
  const readAt = whole?.proof.began_at ?? ''
  if (
    !told.some((digest) =>
      isTold(row, digest, { readAt: proven.own.sinceWords.has(id) ? null : readAt, now: proven.now }),
    )
  )
    return 'the row says something else'
  return whyNotRemovedThen(proven, row) ?? whyNotOwn(proven, row)
}

/** How long after its entry a removal may be written to its row. */
const removalLagMs = hourMs

function whyNotRemovedThen(
  { own, isDemo }: Proven,
  { source_id, removed_at_source_at }: ReviewRow,
): string | null {
  if (isDemo || typeof removed_at_source_at !== 'string') return null
  const at = Date.parse(removed_at_source_at)
  const lags = (own.removedAt.get(source_id) ?? []).map((entry) => at - Date.parse(entry))
  // A review that has a new id since was never removed.
  if (lags.length === 0 || lags.some((lag) => lag >= 0 && lag <= removalLagMs)) return null
  return 'it was removed at another time'
}

/** Returns what is wrong with values that Renown itself decided. */
function whyNotOwn({ own }: Proven, row: ReviewRow): string | null {
  const { source_id: id, auto_response_status: status, analysis_method } = row
  if (status === 'sent' && own.sinceNew.has(id) && !own.sent.has(id)) return 'no reply of Renown was sent'
  const isAfterSent = status === 'sent' || status === 'failed' || status === 'pending'
  if (own.sent.has(id) && !isAfterSent) return 'a reply of Renown was sent'
  if (!analysis_method?.startsWith('llm:'))
    return isJudgedOtherwise(row) ? 'its judgement does not follow from its words' : null
  const judged = own.judged.get(id)
  const isProven = judged === undefined ? !own.sinceWords.has(id) : judged === judgementDigest(row)
  if (!isProven) return 'no language model judged it so'
  return row.needs_response === (row.reply_text === undefined)
    ? null
    : 'whether it waits does not follow from its reply'
}

/** How far the clocks of two processes may be apart. */
const clockLagMs = 10 * minuteMs

/**
 * Whether a row matches the log. Not every source says when a reply was written. Earlier versions logged a reply of Renown only when
 * the next sync read it: then `readAt` is the start of the last full sync.
 */
function isTold(
  row: ReviewRow,
  digest: string,
  { readAt, now }: { readonly readAt: string | null; readonly now: Date },
): boolean {
  const { reply_text, reply_created_at, ...unanswered } = row
  const at = reply_created_at ?? ''
  const isFuture = at !== '' && Date.parse(at) > now.getTime() + clockLagMs
  const isUnread = readAt !== null && at > readAt && !isFuture
  const ways: ReviewContent[] = [row]
  if (!isFuture) ways.push({ ...unanswered, reply_text })
  if (isUnread) ways.push(unanswered)
  return ways.some((told) => isDigestOf(digest, told))
}

/** Returns the figures of a location that differ from those its platform reported. */
export function unprovenFigures(
  { average_rating, total_reviews }: Pick<Row<typeof ReviewedLocation>, 'average_rating' | 'total_reviews'>,
  said: readonly (Figures | undefined)[],
): string[] {
  return said.flatMap((figures) => {
    if (!figures || Object.keys(figures).length === 0) return []
    const isAverage = (average_rating ?? null) === (figures.average ?? null)
    const isTotal = (total_reviews ?? null) === (figures.total ?? null)
    return [
      ...(isAverage ? [] : ['average_rating of the location: the platform never reported it']),
      ...(isTotal ? [] : ['total_reviews of the location: the platform never reported it']),
    ]
  })
}
