/** @jsxImportSource renown/web */
import { StateWord } from 'renown/web'
import type { ListedPost } from './list-posts'
import type { ShownState } from './post-states'

/** A state as an icon and a word. */
export const State = ({ of: { word, tone, icon } }: { readonly of: ShownState }) => (
  <StateWord tone={tone} icon={icon}>
    {word}
  </StateWord>
)

/** A post as one link: its time, its state, its text, its business and its platform. */
export const PostLink = ({ of: post }: { readonly of: ListedPost }) => (
  <a id={`row-${post.id}`} class="post-link" href={`/app/posts/post?post=${post.id}`}>
    <span class="post-top">
      {post.time !== null && <time datetime={post.at}>{post.time}</time>}
      <State of={post.state} />
    </span>
    <span class="post-words" dir="auto" lang={post.language}>
      {post.text.trim() === '' ? 'No text' : post.text}
    </span>
    <span class="post-foot">
      <span class="post-target">{post.platform}</span>
      <bdi>{post.business}</bdi>
    </span>
    {post.approval && (
      <span class="post-foot">
        <State of={post.approval} />
      </span>
    )}
  </a>
)
