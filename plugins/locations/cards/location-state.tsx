/** @jsxImportSource renown/web */
import type { ListCell } from 'renown/pages'
import { Cell, formatCount } from 'renown/web'
import type { Location } from '../contract'

type Standings = Pick<Location, 'is_prospect' | 'is_active' | 'trial_state' | 'trial_end'>

/** Returns the status of a location, as a cell of a list. */
export function stateOf({ is_prospect, is_active, trial_state, trial_end }: Standings): ListCell {
  if (is_prospect) return { badge: 'prospect' }
  if (trial_state !== 'trialing') return is_active ? { badge: 'active', tone: 'good' } : { badge: 'paused' }
  const end = trial_end === undefined ? 'an unknown day' : { at: trial_end, isDay: true }
  const trial = { badge: ['trialing until ', end], tone: 'warn' } as const
  return is_active ? trial : [trial, { badge: 'paused' }]
}

/** The status of a location as text. */
export const ReviewRating = ({ of: location }: { readonly of: Standings }) => <Cell of={stateOf(location)} />

/** Returns the stars and the number of reviews. */
export function ratingOf({
  average_rating,
  total_reviews,
}: Pick<Location, 'average_rating' | 'total_reviews'>): string {
  const reviews = total_reviews ?? 0
  const counted = formatCount(reviews, 'review')
  if (average_rating === undefined || average_rating === null)
    return reviews === 0 ? 'no reviews yet' : counted
  return total_reviews === undefined
    ? `${average_rating.toFixed(1)} of 5`
    : `${average_rating.toFixed(1)} of 5, ${counted}`
}
