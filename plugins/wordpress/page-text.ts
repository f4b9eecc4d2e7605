import { type OutgoingPost, postLink, postText } from 'renown/posts'

const titleMax = 80
const slugWordsMax = 50

/** Returns the title of a page: that of the event, or the first line of the text. */
export function titleOf({ content: { summary, event }, post_type }: OutgoingPost): string {
  if (event && post_type !== 'update') return event.title
  const [line = ''] = summary.trim().split('\n')
  const letters = [...line]
  return letters.length <= titleMax
    ? line
    : `${letters
        .slice(0, titleMax - 1)
        .join('')
        .trimEnd()}…`
}

/** Returns the slug of a page: words of the title, then the key of the attempt, by which the page is found again. */
export function slugOf(post: OutgoingPost, key: string): string {
  const words = titleOf(post)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugWordsMax)
  return `${words}-${key.slice(0, 12)}`.replace(/^-+/, '').replace(/--+/g, '-')
}

/** Returns the body of a page as HTML. Texts of the post are escaped. */
export function bodyOf(post: OutgoingPost): string {
  const paragraphs = postText(post, { withLink: false })
    .split(/\n\n+/)
    .map((one) => `<p>${escapeHtml(one).replace(/\n/g, '<br>')}</p>`)
  const pictures = post.content.media.map(
    ({ source_url, alt = '' }) =>
      `<figure><img src="${escapeHtml(source_url)}" alt="${escapeHtml(alt)}"></figure>`,
  )
  const link = postLink(post)
  const last = link === undefined ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`]
  return [...pictures, ...paragraphs, ...last].join('\n')
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
