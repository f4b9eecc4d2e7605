import { definePlugin } from 'renown'
import { postTarget } from 'renown/posts'
import { webhookPosts } from './posts'

export default definePlugin({
  name: 'webhook',
  summary: 'Posts to a receiver of your own, by Standard Webhooks',
  renown: '^1.0.0',
  needs: ['posts'],
  provides: [postTarget.with(webhookPosts)],
})
