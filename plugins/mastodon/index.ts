import { definePlugin } from 'renown'
import { leadsSource } from 'renown/leads'
import { mastodonTags } from './mastodon-tags'
import { mastodonSettings } from './settings'

export default definePlugin({
  name: 'mastodon',
  summary: 'Mastodon: posts with a hashtag',
  renown: '^1.0.0',
  needs: ['leads'],
  settings: mastodonSettings,
  provides: [leadsSource.with(mastodonTags)],
})
