import { ServiceFault, statusFault, unreadable } from 'renown'
import { cursorIn, type ReadingRequest, type SourceContext, type SourceReading, waitOf } from 'renown/leads'
import * as v from 'valibot'
import { type Feed, FeedError } from './feed-item'
import { type AddressRule, postsOf } from './feed-posts'
import { decodeFeed, unpacked } from './feed-text'
import { readJsonFeed } from './json-feed'
import { feedsOfPage, isPage } from './page-feeds'
import { feedSettings } from './settings'
import { readXmlFeed } from './xml-feed'

const timeoutMs = 20_000
const redirects = 4
const what = 'The feed'
const accept =
  'application/atom+xml, application/rss+xml, application/feed+json;q=0.9, application/xml;q=0.8, */*;q=0.1'

const known = v.object({
  /** What the last answer said about its version. */
  etag: v.nullable(v.string()),
  modified: v.nullable(v.string()),
  /** The feed that a page named, if the target is a page. */
  feed: v.optional(v.string()),
  /** Whether its items share ids and addresses. */
  shared: v.optional(v.boolean()),
})
type Known = v.InferOutput<typeof known>
const textMax = 500

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  readonly url: string
}

/**
 * Reads a feed, or the feed that a page names. `rule` changes the addresses of its posts. Throws a ServiceFault with the code
 * `gone` for 410.
 */
export async function readFeed(
  ctx: SourceContext,
  { target, cursor, signal }: ReadingRequest,
  rule: AddressRule = (address) => address,
): Promise<SourceReading> {
  const last = cursorIn(known, cursor)
  const answer = await firstAnswer(ctx, target, last, signal)
  if (answer.status === 304) {
    return { posts: [], unread: [], cursor, isMore: false, isUnchanged: true }
  }
  // A page in place of a known feed is an error of the website, and its other feeds are not what was asked for.
  const wasFeed = last !== null && last.feed === undefined
  const { feed, at, headers } = await feedIn(ctx, answer, wasFeed, signal)
  const { posts, unread, doubts, isShared } = postsOf(feed, {
    address: at,
    isShared: last?.shared === true,
    rule,
  })
  if (posts.length === 0 && unread.length > 0)
    throw unreadable(what, `no item can be read (${unread[0]?.reason})`)
  const next: Known = {
    // Of a feed whose end is missing, the rest must be read next time.
    etag: feed.isCut ? null : textIn(headers, 'etag'),
    modified: feed.isCut ? null : textIn(headers, 'last-modified'),
    ...(at === answer.url && last?.feed === undefined ? {} : { feed: at }),
    ...(isShared ? { shared: true } : {}),
  }
  const read_from = next.feed
  return {
    posts,
    unread,
    ...(doubts ? { doubts } : {}),
    ...(read_from === undefined ? {} : { read_from }),
    cursor: JSON.stringify(next),
    isMore: false,
  }
}

/** Asks for the feed that the last reading found, and for the target itself if there is none any more. */
async function firstAnswer(
  ctx: SourceContext,
  target: string,
  last: Known | null,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = {
    ...(last?.etag ? { 'if-none-match': last.etag } : {}),
    ...(last?.modified ? { 'if-modified-since': last.modified } : {}),
  }
  const answer = await ask(ctx, last?.feed ?? target, headers, signal)
  if (answer.status === 304 || answer.status === 200) return answer
  if (last?.feed === undefined || ![404, 410].includes(answer.status)) throw feedFault(answer, ctx.now())
  return whole(await ask(ctx, target, {}, signal), ctx.now())
}

function ask(
  ctx: SourceContext,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const maxBytes = feedSettings.of(ctx).FEED_BYTES_MAX
  const asked = ctx.outbound.safeFetch(url, {
    maxBytes,
    timeoutMs,
    redirects,
    accept,
    headers,
    plainHttp: true,
  })
  return unless(signal, asked)
}

function whole(answer: Answer, now: Date): Answer {
  if (answer.status !== 200) throw feedFault(answer, now)
  return answer
}

/** Reads the feed of an answer. If it is a page, reads the first of its feeds that is one. */
async function feedIn(ctx: SourceContext, answer: Answer, wasFeed: boolean, signal: AbortSignal) {
  const text = await textOf(ctx, answer)
  const own = await parsed(text)
  if (typeof own !== 'string') return { feed: own, at: answer.url, headers: answer.headers }
  if (!isPage(text)) throw unreadable(what, `it ${own}`)
  if (wasFeed) throw unreadable(what, 'it is a web page now')
  const named = feedsOfPage(text, answer.url)
  if (named.length === 0) throw unreadable(what, 'it is a web page that names no feed')
  let why = ''
  for (const address of named) {
    const other = await ask(ctx, address, {}, signal)
    const found =
      other.status === 200 ? await parsed(await textOf(ctx, other)) : `answered with status ${other.status}`
    if (typeof found !== 'string') return { feed: found, at: other.url, headers: other.headers }
    why = found
  }
  throw unreadable(what, `it is a web page, and the feed that it names ${why}`)
}

async function textOf(ctx: SourceContext, { body, headers }: Answer): Promise<string> {
  try {
    const feed = await unpacked(body, feedSettings.of(ctx).FEED_BYTES_MAX)
    return decodeFeed(feed, headers.get('content-type') ?? '')
  } catch (error) {
    if (error instanceof FeedError) throw unreadable(what, `it ${error.message}`)
    throw error
  }
}

/** Returns the feed of a text, or why it is none. */
async function parsed(text: string): Promise<Feed | string> {
  try {
    return /^\ufeff?\s{0,200}\{/.test(text.slice(0, 300))
      ? readJsonFeed(text.replace(/^\ufeff/, ''))
      : await readXmlFeed(text)
  } catch (error) {
    if (error instanceof FeedError) return error.message
    throw error
  }
}

const textIn = (headers: Headers, name: string) => {
  const value = headers.get(name)
  return value !== null && value.length <= textMax ? value : null
}

function feedFault({ status, headers }: Answer, now: Date): ServiceFault {
  if (status === 410) return new ServiceFault('unsupported', 'The feed no longer exists.', { code: 'gone' })
  const retryAfterMs = waitOf(headers, now)
  const said = `The feed answered with status ${status}.`
  return statusFault({ status, retryAfterMs }, said) ?? unreadable(what, `status ${status}`)
}

/** Rejects with the reason of the signal as soon as the caller stops. */
async function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}
