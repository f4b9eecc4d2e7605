import { ServiceFault } from 'renown'
import type { ReviewedLocation } from 'renown/reviews'

/** Returns the profile's name in Google's older API, which contains the reviews: account and location together. */
export function profileOf({
  google_account_id = '',
  google_location_id = '',
}: Pick<ReviewedLocation, 'google_account_id' | 'google_location_id'>) {
  const account = google_account_id.replace(/^accounts\//, '')
  const locationId = google_location_id.split('/').at(-1) ?? ''
  const named = /^accounts\/([^/]+)\/locations\//.exec(google_location_id)?.[1]
  if (account === '' || locationId === '') {
    throw new ServiceFault('permanent', 'The location names no Google account and location')
  }
  if (named !== undefined && named !== account) {
    throw new ServiceFault(
      'permission',
      "The location's Google profile belongs to another account than the one of the location",
    )
  }
  return { path: `accounts/${account}/locations/${locationId}`, locationId }
}
