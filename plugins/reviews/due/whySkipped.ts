import type { Row } from 'renown'
import { sensitiveFlag, urgentFlag } from '../analysis/flagSensitive'
import type { ReviewRow } from '../analysis/reconcile'
import type { ReviewSource, SourceReview } from '../contract'
import type { AutoResponseRules } from '../records/AutoResponseRules'
import type { SkipCode } from '../records/skip-reasons'
import { isRatingUnknown, type NoReplyReason, type OptedLocation, whyUnanswered } from './whyUnanswered'

interface Deciding {
  readonly location: OptedLocation
  readonly rules: Row<typeof AutoResponseRules> | null
  readonly source: Pick<ReviewSource, 'absences'>
}

/** Why a due reply is skipped, and how that changes the row. */
export interface Skip {
  readonly reason: Extract<SkipCode, NoReplyReason | 'removed' | 'flagged' | 'urgent'>
  readonly flag?: Pick<ReviewRow, 'is_flagged' | 'flag_reason'>
}

/**
 * Returns why a due reply is skipped, based on stored data only, so that no request to the platform is
 * needed.
 */
export function whySkippedUnseen(
  row: ReviewRow,
  { location, rules }: Omit<Deciding, 'source'>,
): Skip['reason'] | null {
  if (typeof row.removed_at_source_at === 'string') return 'removed'
  if (row.reply_text !== undefined) return 'answered'
  if (row.is_flagged) return 'flagged'
  if (!rules?.is_enabled) return 'replies_off'
  return location.is_active && location.auto_response_enabled ? null : 'location_off'
}

/** Returns why a due reply is skipped, based on the review that was just fetched. Null if it is sent. */
export function whySkipped(
  row: ReviewRow,
  said: SourceReview,
  { location, rules, source }: Deciding,
): Skip | null {
  const isUnknown = isRatingUnknown(source, said)
  const reason = whyUnanswered(said, rules, location, new Date(row.created_date), isUnknown)
  if (reason === 'sensitive') return { reason, flag: sensitiveFlag(said) }
  if (reason !== null) return { reason }
  if (row.is_flagged) return { reason: 'flagged' }
  if (typeof row.removed_at_source_at === 'string') return { reason: 'removed' }
  return isUrgentByModel(row) ? { reason: 'urgent', flag: urgentFlag } : null
}

/**
 * The model calls a review urgent only because of danger, discrimination or legal action. A review with one
 * star is urgent anyway.
 */
const isUrgentByModel = ({ analysis_method = '', priority, star_rating }: ReviewRow) =>
  analysis_method.startsWith('llm:') && priority === 'urgent' && star_rating !== 1
