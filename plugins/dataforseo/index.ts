import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { dataforseoReviews } from './reviews'
import { dataforseoSettings } from './settings'

export default definePlugin({
  name: 'dataforseo',
  summary: 'DataForSEO: reviews as a search shows them',
  renown: '^1.0.0',
  needs: ['reviews'],
  settings: dataforseoSettings,
  provides: [reviewSource.with(dataforseoReviews)],
})
