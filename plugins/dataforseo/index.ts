import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { dataforseoReviews } from './reviews'

export default definePlugin({
  name: 'dataforseo',
  summary: 'DataForSEO: reviews as a search shows them',
  renown: '^1.0.0',
  needs: ['reviews'],
  provides: [reviewSource.with(dataforseoReviews)],
})
