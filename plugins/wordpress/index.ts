import { definePlugin } from 'renown'
import { postTarget } from 'renown/posts'
import { wordpressPosts } from './posts'

export default definePlugin({
  name: 'wordpress',
  summary: 'WordPress: posts on the website of a location',
  renown: '^1.0.0',
  needs: ['posts'],
  provides: [postTarget.with(wordpressPosts)],
})
