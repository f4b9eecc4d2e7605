import { definePlugin } from 'renown'
import { leadsReply, leadsSource } from 'renown/leads'
import { redditConnection } from './connection'
import { reddit } from './reddit'
import { redditReplies } from './replies'
import { redditSettings } from './settings'

export default definePlugin({
  name: 'reddit',
  summary: 'Reddit: posts that contain a keyword, and replies, for holders of an approved key',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: redditSettings,
  connections: [redditConnection],
  provides: [leadsSource.with(reddit), leadsReply.with(redditReplies)],
})
