import { actsOnPage, definePage } from 'renown/pages'
import { draftPost } from '../acts/post-acts'
import { Post } from '../records/Post'
import { loadPost, type PostData } from './load-post'
import { postActions, postNotices } from './post-actions'
import { postsStyle } from './posts-style'

/** The page of one post: what it says, its time, its approval and its attempts, with a form for each act. */
export const postPage = definePage<typeof Post, PostData>({
  path: '/app/posts/post',
  title: 'Post',
  module: new URL('./PostPage.tsx', import.meta.url),
  isStatic: true,
  record: { entity: Post, param: 'post' },
  load: loadPost,
  titleOf: ({ business, preview }) => `Post of ${business} for ${preview.platform}`,
  actions: postActions,
  notices: { ...postNotices, ...actsOnPage({ drafted: draftPost }).notices },
  style: postsStyle,
})
