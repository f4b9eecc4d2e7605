import { definePlugin } from 'renown'
import { profileSource } from 'renown/profiles'
import { platformId } from 'renown/records'
import { reviewSource } from 'renown/reviews'
import { googlePlaceId } from './id'
import { placesProfiles } from './profile'
import { placesReviews } from './reviews'
import { placesSettings } from './settings'

export default definePlugin({
  name: 'places',
  summary: "Google's Places API: public data of a place",
  renown: '^1.0.0',
  needs: ['enrichment', 'reviews'],
  settings: placesSettings,
  provides: [
    reviewSource.with(placesReviews),
    profileSource.with(placesProfiles),
    platformId.with(googlePlaceId),
  ],
})
