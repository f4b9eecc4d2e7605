import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { youTubeSettings } from './settings'
import { youTube } from './youtube'

export default definePlugin({
  name: 'youtube',
  summary: 'YouTube: videos that match a keyword',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: youTubeSettings,
  provides: [leadsSource.with(youTube)],
})
