import { definePlugin } from 'renown'
import { leadsReply, leadsSource } from 'renown/leads'
import { postTarget } from 'renown/posts'
import { blueskySearch } from './bluesky-search'
import { blueskyStream } from './jetstream'
import { blueskyPosts } from './posts'
import { blueskyReplies } from './replies'
import { blueskySettings } from './settings'

export default definePlugin({
  name: 'bluesky',
  summary: 'Bluesky: posts that contain a keyword, posts of a location, and replies',
  renown: '^1.0.0',
  needs: ['leads', 'posts'],
  settings: blueskySettings,
  provides: [
    leadsSource.with(blueskySearch),
    leadsSource.with(blueskyStream),
    postTarget.with(blueskyPosts),
    leadsReply.with(blueskyReplies),
  ],
})
