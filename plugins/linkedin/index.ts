import { definePlugin } from 'renown'
import { postTarget } from 'renown/posts'
import { linkedinPosts } from './posts'
import { linkedinSettings } from './settings'

export default definePlugin({
  name: 'linkedin',
  summary: 'LinkedIn: posts of an organization',
  renown: '^1.0.0',
  needs: ['posts'],
  settings: linkedinSettings,
  provides: [postTarget.with(linkedinPosts)],
})
