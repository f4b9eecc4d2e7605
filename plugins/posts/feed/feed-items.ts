import { webAddress } from 'renown/sources'
import { normalText, postLink } from '../content/post-text'
import type { PostRow } from '../records/Post'

/** What a feed says about one post, without any markup of a format. */
export interface FeedItem {
  /** The id of the post. It never changes, so no reader shows the post twice. */
  readonly id: string
  /** The name of the event or offer. Absent for an update. */
  readonly title?: string
  readonly html: string
  readonly published_at: string
  readonly language: string
  /** Where the post leads to. */
  readonly link?: string
  readonly pictures: readonly { readonly url: string; readonly alt: string }[]
}

/** A feed of the posts of one location, in no format yet. */
export interface Feed {
  readonly title: string
  readonly description: string
  /** The website of the business. */
  readonly website?: string
  readonly language?: string
  /** The public address, without a file. */
  readonly url: string
  /** When it last changed, ISO 8601. */
  readonly changed_at: string
  /** Newest first. */
  readonly items: readonly FeedItem[]
}

/** Returns a published post as an item of a feed. */
export function feedItem(post: PostRow): FeedItem {
  const { id, content, post_type, published_at, created_date } = post
  const link = webAddress(postLink(post) ?? '')
  const title = post_type === 'update' ? '' : (content.event?.title ?? '').trim()
  const pictures = content.media.flatMap(({ format, source_url, alt = '' }) => {
    const url = format === 'photo' ? webAddress(source_url) : undefined
    return url === undefined ? [] : [{ url, alt }]
  })
  return {
    id,
    html: htmlOf(post, link, pictures),
    published_at: published_at ?? created_date,
    pictures,
    language: content.language,
    ...(normalText(title) === '' ? {} : { title }),
    ...(link === undefined ? {} : { link }),
  }
}

function htmlOf(
  { content, post_type }: PostRow,
  link: string | undefined,
  pictures: FeedItem['pictures'],
): string {
  const { event, offer, summary, call_to_action: button } = content
  const start = event?.start.slice(0, 10)
  const end = event?.end.slice(0, 10)
  const dates =
    event && post_type !== 'update' ? `${event.title}: ${start}${end === start ? '' : ` – ${end}`}` : ''
  const deal = post_type === 'offer' ? [offer?.coupon_code ?? '', offer?.terms ?? ''] : []
  const label = button && button.type !== 'call' ? buttonLabels[button.type] : 'Learn more'
  return [
    ...[...summary.split(/\n{2,}/), dates, ...deal].map(paragraph),
    ...pictures.map(({ url, alt }) => `<p><img src="${escaped(url)}" alt="${escaped(alt)}"></p>`),
    link === undefined ? '' : `<p><a href="${escaped(link)}">${label}</a></p>`,
  ].join('')
}

const buttonLabels = {
  book: 'Book',
  order: 'Order',
  shop: 'Shop',
  learn_more: 'Learn more',
  sign_up: 'Sign up',
} as const

const paragraph = (text: string) =>
  text.trim() === '' ? '' : `<p>${escaped(text.trim()).replaceAll('\n', '<br>')}</p>`

/** Code points that XML 1.0 does not allow, not even as references. */
const noXml = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Returns a text for HTML and XML, between tags and in attributes. */
export const escaped = (text: string): string =>
  text
    .replace(noXml, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
