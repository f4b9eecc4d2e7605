import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { googleReviews } from './reviews'

export default definePlugin({
  name: 'google',
  summary: 'Google business profiles: reviews and replies',
  renown: '^1.0.0',
  needs: ['reviews'],
  provides: [reviewSource.with(googleReviews)],
})
