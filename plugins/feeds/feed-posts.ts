import {
  canonicalUrl,
  channelOf,
  type FoundPost,
  plainText,
  postOf,
  readDate,
  type SourceReading,
  type UnreadPost,
} from 'renown/leads'
import { type Feed, type FeedItem, type FeedLink, itemsMax } from './feed-item'

/** Changes the address of a post that a feed gives. Undefined: the post has none. */
export type AddressRule = (address: string) => string | undefined

/** The feed whose items are read. */
export interface FeedOrigin {
  /** The address that it was read from. */
  readonly address: string
  /** Whether items of this feed were seen that share an id and an address. */
  readonly isShared: boolean
  readonly rule: AddressRule
}

interface Placed {
  readonly item: FeedItem
  readonly url: string
  /** The id and the address, which tell most posts apart. */
  readonly id: string
}

/** The posts of a feed, and whether some share an id and an address. */
export type FeedPosts = Pick<SourceReading, 'posts' | 'unread' | 'doubts'> & { readonly isShared: boolean }

/** Returns the posts of a feed. Every item is a post, or is counted with the reason why it is none. */
export function postsOf(feed: Feed, { address, isShared, rule }: FeedOrigin): FeedPosts {
  const home = homeOf(feed, address)
  const unread: UnreadPost[] = []
  const placed: Placed[] = []
  for (const item of feed.items) {
    const url = addressOf(item, home, rule)
    if (url === undefined) unread.push({ ...idIn(item), reason: 'link' })
    else placed.push({ item, url, id: idOf(item, url, address) })
  }
  if (feed.isCut) unread.push({ reason: 'the end of the feed is missing' })
  if (feed.left > 0) {
    const beyond: UnreadPost = { reason: `only ${itemsMax} items of a feed are read` }
    for (let at = 0; at < feed.left; at++) unread.push(beyond)
  }
  const repeated = repeatedIn(placed.map(({ id }) => id))
  const doubts: UnreadPost[] = []
  const isAnyShared = isShared || repeated.size > 0
  const ids = placed.map((one) => (isAnyShared ? toldApart(one) : one.id))
  const alike = repeatedIn(ids)
  const posts = placed.map((one, at) => {
    const id = ids[at] ?? one.id
    const source_id = digested(alike.has(id) ? `${id} ${wordsOf(one)}` : id)
    const { language = feed.language, author = feed.author } = one.item
    return postOfItem(one, { source_id, home, language, author, doubts })
  })
  return { posts, unread, doubts, isShared: isAnyShared }
}

/** The address to which those in the feed are relative, where the feed does not say otherwise: that of its page. */
function homeOf({ home }: Feed, address: string): string {
  const base = home && (resolved(home.base, address) ?? address)
  return resolved(home?.href, base ?? address) ?? address
}

/** Feeds escape an address twice, and leave out the scheme of a host. */
const mended = (href: string) =>
  href.replaceAll('&amp;', '&').replace(/^(?=www\.[\w-]{1,63}\.[\w.-]{2,200}(?:\/|$))/i, '//')

const linkIn = ({ href, base }: FeedLink, home: string): string | undefined =>
  resolved(mended(href.trim()), resolved(base, home) ?? home)

/**
 * Returns the address of an item's post. An item without one, but with an id, is at the page of the feed: the id behind the `#`
 * keeps it apart from the others.
 */
function addressOf({ links = [], id }: FeedItem, home: string, rule: AddressRule): string | undefined {
  for (const link of links) {
    const address = linkIn(link, home)
    const url = address === undefined ? undefined : rule(address)
    if (url !== undefined) return url
  }
  if (links.length > 0 || id === undefined) return undefined
  const page = new URL(home)
  page.hash = `item-${id.slice(0, 300)}`
  return page.href
}

const idIn = ({ id }: FeedItem) => (id === undefined ? {} : { source_id: id.slice(0, 500) })

/**
 * An id of a feed alone identifies nothing: some feeds give all their items the same. With the address of the post, without what
 * changes in addresses of one post, it does.
 */
function idOf({ id }: FeedItem, url: string, address: string): string {
  const { hash } = new URL(url)
  const place = `${canonicalUrl(url)}${hash}`
  if (id === undefined) return place
  if (id === url) return id
  // Other ids are unique within a feed only.
  const own = /^(?:https?|tag|urn|at):/.test(id) ? id : `${new URL(address).host} ${id}`
  return `${own} ${place}`
}

function repeatedIn(ids: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) repeated.add(id)
    seen.add(id)
  }
  return repeated
}

const wordsOf = ({ item }: Placed): string => item.text ?? item.html ?? ''

/** Tells posts with one id and one address apart by their time, or else by their words. */
function toldApart(one: Placed): string {
  const { published, author = '', title = '' } = one.item
  const told = `${one.id} ${published ?? ''} ${author} ${title}`
  return published === undefined ? `${told} ${wordsOf(one)}` : told
}

const digested = (text: string): string =>
  text.length <= 300 && !/\p{Cc}/u.test(text)
    ? text
    : `sha256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`

interface PostPlace {
  readonly source_id: string
  readonly home: string
  readonly language: string | undefined
  readonly author: string | undefined
  readonly doubts: UnreadPost[]
}

function postOfItem({ item, url }: Placed, place: PostPlace): FoundPost {
  const { source_id, home, language, author, doubts } = place
  const dates = [item.published, ...(item.otherDates ?? [])].map((date) => readDate(date, language))
  const published = dates.find(({ is }) => is === 'value') ?? readDate(item.published, language)
  const updated = readDate(item.updated, language)
  // The time of the last change is that of the post only if the feed states no other.
  const posted = published.is === 'none' ? updated : published
  if (posted.is === 'unknown') doubts.push({ source_id, reason: dateReason(item, posted.because) })
  return postOf({
    source_id,
    channel: channelOf(url, 'web'),
    url,
    title: plainText(item.title ?? '', 300),
    body: item.text ?? plainText(item.html ?? ''),
    parent_url: resolved(item.parent, home),
    language,
    posted_at: posted.is === 'value' ? posted.value : undefined,
    edited_at: updated.is === 'value' ? updated.value : undefined,
    author: { handle: nameOf(author), url: resolved(item.authorUrl, home) },
  })
}

const dateReason = ({ published, updated }: FeedItem, because: string) =>
  `the date ${JSON.stringify((published ?? updated ?? '').slice(0, 60))}: ${because}`

/** Returns the name of an author that RSS writes behind a mail address: `jo@example.com (Jo)`. */
function nameOf(author: string | undefined): string | undefined {
  const named = /^\S{1,100}@\S{1,100} \(([^()]{1,100})\)$/.exec(author ?? '')?.[1]
  return (named ?? author)?.slice(0, 200)
}

/** Returns an address of a feed as an absolute web address. Undefined if it is none. */
export function resolved(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.trim() === '') return undefined
  const url = URL.parse(address.trim(), base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}
