import type { Row } from 'renown'
import type { AutoResponseRules } from './AutoResponseRules'
import type { Review } from './Review'
import type { SourceReview } from './sources/source'

type Rules = Row<typeof AutoResponseRules>
type Scheduled = Pick<Row<typeof Review>, 'auto_response_status' | 'auto_response_scheduled_at'>

const dayMs = 86_400_000
const minuteMs = 60_000

/**
 * What becomes of a review that is inserted: nothing without an agency's rules; skipped where it is not to be answered; else
 * pending, at an instant drawn once, evenly over the agency's window.
 */
export function scheduleReply(
  review: SourceReview,
  rules: Rules | null,
  location: { readonly auto_response_enabled: boolean },
  now: Date,
  random: () => number,
): Scheduled {
  if (!rules) return {}
  if (!isAnswered(review, rules, location, now)) return { auto_response_status: 'skipped' }
  const { delay_min_minutes: min, delay_max_minutes: max } = rules
  const delayMs = Math.round((min + random() * (max - min)) * minuteMs)
  return {
    auto_response_status: 'pending',
    auto_response_scheduled_at: new Date(now.getTime() + delayMs).toISOString(),
  }
}

function isAnswered(
  { star_rating, reply, review_created_at }: SourceReview,
  rules: Rules,
  location: { readonly auto_response_enabled: boolean },
  now: Date,
): boolean {
  if (!rules.is_enabled || !location.auto_response_enabled || reply !== undefined) return false
  const isWanted = star_rating === null ? rules.include_unrated : rules.ratings.includes(star_rating)
  const written = Date.parse(review_created_at ?? now.toISOString())
  return isWanted && now.getTime() - written <= rules.newest_days * dayMs
}
