import { definePlugin } from 'renown'
import { reviewSource } from 'renown/reviews'
import { visibilityEngine } from 'renown/visibility'
import { dataforseoEngines } from './engines'
import { dataforseoReviews } from './reviews'
import { dataforseoSettings } from './settings'

export default definePlugin({
  name: 'dataforseo',
  summary: 'DataForSEO: reviews from search results, and answers of AI assistants as consumers see them',
  renown: '^1.0.0',
  needs: ['reviews', 'visibility'],
  settings: dataforseoSettings,
  provides: [
    reviewSource.with(dataforseoReviews),
    ...dataforseoEngines.map((engine) => visibilityEngine.with(engine)),
  ],
})
