/** @jsxImportSource renown/web */
import { OutLink, Quote } from 'renown/web'
import type { PostPreview } from './preview'

/** Shows a post as it will look on its platform. Pictures are links, so that no other host learns who looks at the page. */
export const Preview = ({ of: post }: { readonly of: PostPreview }) => (
  <div class="post-preview">
    <Quote text={post.text} lang={post.language} />
    {post.event !== null && (
      <p>
        <bdi>{post.event}</bdi>
      </p>
    )}
    {post.offer !== null && (
      <p>
        <bdi>{post.offer}</bdi>
      </p>
    )}
    {post.button && (
      <p>
        {`Button “${post.button.label}”`}
        {post.button.url !== null && (
          <>
            {': '}
            <OutLink href={post.button.url} />
          </>
        )}
      </p>
    )}
    {post.pictures.length > 0 && (
      <ul class="plain">
        {post.pictures.map(({ url, alt, format }, place) => (
          <li key={place}>
            {`${format === 'video' ? 'Video' : 'Picture'} ${place + 1}: `}
            <OutLink href={url}>{alt === '' ? undefined : <bdi>{alt}</bdi>}</OutLink>
          </li>
        ))}
      </ul>
    )}
  </div>
)
