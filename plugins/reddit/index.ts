import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { reddit } from './reddit'
import { redditSettings } from './settings'

export default definePlugin({
  name: 'reddit',
  summary: 'Reddit: posts that contain a keyword, for holders of an approved key',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: redditSettings,
  provides: [leadsSource.with(reddit)],
})
