import { definePlugin } from 'renown'
import { leadsReply, leadsSource } from 'renown/leads'
import { youTubeConnection } from './connection'
import { youTubeReplies } from './replies'
import { youTubeSettings } from './settings'
import { youTube } from './youtube'

export default definePlugin({
  name: 'youtube',
  summary: 'YouTube: videos and comments that match a keyword, and replies',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: youTubeSettings,
  connections: [youTubeConnection],
  provides: [leadsSource.with(youTube), leadsReply.with(youTubeReplies)],
})
