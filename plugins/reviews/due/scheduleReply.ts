import type { Row } from 'renown'
import { minuteMs } from 'renown'
import type { SourceReview } from '../contract'
import type { AutoResponseRules } from '../records/AutoResponseRules'
import type { Review } from '../records/Review'
import { type OptedLocation, whyUnanswered } from './whyUnanswered'

type Rules = Row<typeof AutoResponseRules>
type Scheduled = Pick<
  Row<typeof Review>,
  'auto_response_status' | 'auto_response_scheduled_at' | 'auto_response_reason'
>

/**
 * Returns the automatic reply of a new review: none without rules, skipped if `whyUnanswered` has a reason, otherwise
 * pending at a random time within the agency's window.
 */
export function scheduleReply(
  review: SourceReview,
  rules: Rules | null,
  location: OptedLocation,
  now: Date,
  random: () => number,
  isUnknown = false,
): Scheduled {
  if (!rules) return {}
  const reason = whyUnanswered(review, rules, location, now, isUnknown)
  if (reason !== null) return { auto_response_status: 'skipped', auto_response_reason: reason }
  const { delay_min_minutes: min, delay_max_minutes: max } = rules
  const delayMs = Math.round((min + random() * (max - min)) * minuteMs)
  return {
    auto_response_status: 'pending',
    auto_response_scheduled_at: new Date(now.getTime() + delayMs).toISOString(),
  }
}
