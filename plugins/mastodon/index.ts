import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { postTarget } from 'renown/posts'
import { mastodonTags } from './mastodon-tags'
import { mastodonPosts } from './posts'
import { mastodonSettings } from './settings'

export default definePlugin({
  name: 'mastodon',
  summary: 'Mastodon: posts with a hashtag, and posts of a location',
  renown: '^1.0.0',
  needs: ['leads', 'posts'],
  settings: mastodonSettings,
  provides: [leadsSource.with(mastodonTags), postTarget.with(mastodonPosts)],
})
