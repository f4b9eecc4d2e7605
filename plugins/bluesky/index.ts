import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { blueskySearch } from './bluesky-search'
import { blueskySettings } from './settings'

export default definePlugin({
  name: 'bluesky',
  summary: 'Bluesky: posts that contain a keyword',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: blueskySettings,
  provides: [leadsSource.with(blueskySearch)],
})
