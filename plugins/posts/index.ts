import { definePlugin } from 'renown'
import { postsDemo } from './demo'
import { Post } from './Post'
import { postStatus } from './postStatus'

/** Posts on business profiles and their drafts. */
export default definePlugin({
  name: 'posts',
  summary: 'Posts on business profiles, and their drafts',
  notYet:
    'Renown does not draft or publish posts yet: a scheduled post is not sent. Posts come only from the demo or from a data import.',
  renown: '^1.0.0',
  entities: [Post],
  states: [postStatus],
  demo: postsDemo,
})
