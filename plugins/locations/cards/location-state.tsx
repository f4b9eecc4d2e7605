/** @jsxImportSource renown/web */
import { Badge, formatCount, Moment } from 'renown/web'
import type { Location } from '../contract'

type Standings = Pick<Location, 'is_prospect' | 'is_active' | 'trial_state' | 'trial_end'>

/** The status of a location as text. */
export function ReviewRating({ of: location }: { readonly of: Standings }) {
  if (location.is_prospect) return <Badge>prospect</Badge>
  const isTried = location.trial_state === 'trialing'
  return (
    <>
      {isTried && (
        <Badge tone="warn">
          <span>
            trialing until{' '}
            {location.trial_end === undefined ? (
              'an unknown day'
            ) : (
              <Moment at={location.trial_end} still isDay />
            )}
          </span>
        </Badge>
      )}
      {location.is_active ? !isTried && <Badge tone="good">active</Badge> : <Badge>paused</Badge>}
    </>
  )
}

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
