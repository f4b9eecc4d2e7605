import { definePlugin } from 'renown'
import { postsDemo } from './demo'
import { Post } from './Post'
import { postStatus } from './postStatus'

/** Posts on business profiles and their drafts. */
export default definePlugin({
  name: 'posts',
  summary: 'Posts on business profiles, and their drafts',
  renown: '^1.0.0',
  entities: [Post],
  states: [postStatus],
  demo: postsDemo,
})
