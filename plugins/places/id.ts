import type { PlatformId } from 'renown/records'

/** A place on Google's map. Its public data is read without an account. */
export const googlePlaceId: PlatformId = {
  name: 'google-place',
  order: 30,
  source: 'google',
  field: 'google_place_id',
  label: 'Google place id',
  pattern: /^[\w-]{1,300}$/,
  example: 'a place id such as ChIJN1t_tDeuEmsRUsoyG83frY4',
  isListing: false,
  added: { via: 'places', from: 'its Google place id' },
  typed: {
    hint: 'Its reviews on Google are read by it.',
    finder: {
      label: "Google's Place ID Finder",
      href: 'https://developers.google.com/maps/documentation/places/web-service/place-id#find-id',
      hint: 'Search for the business there, and copy what begins with ChIJ.',
    },
  },
}
