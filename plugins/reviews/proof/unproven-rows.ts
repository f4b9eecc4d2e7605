import type { Row } from 'renown'
import { isJudgedOtherwise } from '../analysis/judgeAgain'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReviewedLocation } from '../records/ReviewedLocation'
import { isDigestOf, type ReviewContent } from './digest'
import type { Figures, replay } from './ledger'
import { isVisible } from './storedReviews'

type Replayed = Pick<Awaited<ReturnType<typeof replay>>, 'standing' | 'past' | 'whole'>

/**
 * Returns the rows of a location and source that its log does not prove, as lines that start with the source
 * id.
 */
export function unprovenRows(
  { standing, past, whole }: Replayed,
  rows: readonly ReviewRow[],
  workspaceId: string,
): string[] {
  const readAt = whole?.proof.began_at ?? ''
  const visible = new Set(rows.filter(isVisible).map(({ source_id }) => source_id))
  const lost = [...standing.keys()].filter((id) => !visible.has(id)).map((id) => `${id}: no row`)
  const found = rows.flatMap((row) => {
    const { source_id: id } = row
    const digest = isVisible(row) ? standing.get(id) : past.get(id)
    // A removed row that is current in the log is reported with those that have no row.
    if (digest === undefined) return standing.has(id) ? [] : [`${id}: never seen`]
    if (row.workspace_id !== workspaceId) return [`${id}: in another workspace`]
    if (!isTold(row, digest, readAt)) return [`${id}: the row says something else`]
    return isJudgedOtherwise(row) ? [`${id}: its judgement does not follow from its words`] : []
  })
  return [...lost, ...found]
}

/**
 * Whether a row matches the log. A reply sent after the start of the last full sync is in the row first, and
 * in the log after the next sync. Not every source says when a reply was written.
 */
function isTold(row: ReviewRow, digest: string, readAt: string): boolean {
  const { reply_text, reply_created_at, ...unanswered } = row
  const isUnread = (reply_created_at ?? '') > readAt
  const ways: ReviewContent[] = [row, { ...unanswered, reply_text }, ...(isUnread ? [unanswered] : [])]
  return ways.some((told) => isDigestOf(digest, told))
}

/** Returns the figures of a location that differ from those its platform reported. */
export function unprovenFigures(
  { average_rating, total_reviews }: Row<typeof ReviewedLocation>,
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
