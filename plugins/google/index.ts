import { definePlugin } from 'renown'
import { profileSource } from 'renown/profiles'
import { reviewSource } from 'renown/reviews'
import { googleProfiles } from './profile'
import { googleReviews } from './reviews'

export default definePlugin({
  name: 'google',
  summary: 'Google business profiles: reviews and replies',
  renown: '^1.0.0',
  needs: ['enrichment', 'reviews'],
  provides: [reviewSource.with(googleReviews), profileSource.with(googleProfiles)],
})
