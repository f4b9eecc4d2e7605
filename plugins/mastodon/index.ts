import { definePlugin } from 'renown'
import { leadsReply, leadsSource } from 'renown/leads'
import { postTarget } from 'renown/posts'
import { mastodonTags } from './mastodon-tags'
import { mastodonPosts } from './posts'
import { mastodonReplies } from './replies'
import { mastodonSettings } from './settings'

export default definePlugin({
  name: 'mastodon',
  summary: 'Mastodon: posts with a hashtag, posts of a location, and replies',
  renown: '^1.0.0',
  needs: ['leads', 'posts'],
  settings: mastodonSettings,
  provides: [
    leadsSource.with(mastodonTags),
    postTarget.with(mastodonPosts),
    leadsReply.with(mastodonReplies),
  ],
})
