import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { placesReviews } from './reviews'

export default definePlugin({
  name: 'places',
  summary: "Google's Places API: what anybody may see of a place",
  renown: '^1.0.0',
  needs: ['reviews'],
  provides: [reviewSource.with(placesReviews)],
})
