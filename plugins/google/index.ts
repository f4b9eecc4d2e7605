import { definePlugin, platformId } from 'renown'
import { profileSource } from 'renown/profiles'
import { reviewSource } from 'renown/reviews'
import { googleConnection } from './connection'
import { googleListingId } from './id'
import { googleProfiles } from './profile'
import { googleReviews } from './reviews'
import { googleSettings } from './settings'

export default definePlugin({
  name: 'google',
  summary: 'Google business profiles: accounts, reviews and replies',
  renown: '^1.0.0',
  needs: ['enrichment', 'reviews'],
  settings: googleSettings,
  connections: [googleConnection],
  provides: [
    reviewSource.with(googleReviews),
    profileSource.with(googleProfiles),
    platformId.with(googleListingId),
  ],
})
