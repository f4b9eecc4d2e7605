import { ServiceFault, statusFault, unreadable } from 'renown'
import {
  channelOf,
  cursorIn,
  plainText,
  postOf,
  type ReadingRequest,
  type SourceContext,
  type SourceReading,
  type UnreadPost,
  waitOf,
} from 'renown/leads'
import * as v from 'valibot'
import { type Feed, FeedError, type FeedItem } from './feed-item'
import { decodeFeed } from './feed-text'
import { readJsonFeed } from './json-feed'
import { feedSettings } from './settings'
import { readXmlFeed } from './xml-feed'

const timeoutMs = 20_000
const redirects = 4
const what = 'The feed'
const accept =
  'application/atom+xml, application/rss+xml, application/feed+json;q=0.9, application/xml;q=0.8, */*;q=0.1'

/** What the last answer said about its version. */
const validators = v.object({ etag: v.nullable(v.string()), modified: v.nullable(v.string()) })
const validatorMax = 500

/** Reads a feed. `linkOf` returns the address of an item's post. Throws a ServiceFault with the code `gone` for 410. */
export async function readFeed(
  ctx: SourceContext,
  { target, cursor, signal }: ReadingRequest,
  linkOf: (item: FeedItem, base: string) => string | undefined,
): Promise<SourceReading> {
  const known = cursorIn(validators, cursor)
  const headers = {
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.modified ? { 'if-modified-since': known.modified } : {}),
  }
  const maxBytes = feedSettings.of(ctx).FEED_BYTES_MAX
  const asked = ctx.outbound.safeFetch(target, {
    maxBytes,
    timeoutMs,
    redirects,
    accept,
    headers,
    plainHttp: true,
  })
  const answer = await unless(signal, asked)
  if (answer.status === 304) return { posts: [], unread: [], cursor, isMore: false }
  if (answer.status !== 200) throw feedFault(answer.status, waitOf(answer.headers, ctx.now()))
  const feed = parsed(answer.body, answer.headers.get('content-type') ?? '')
  const next = {
    etag: validator(answer.headers, 'etag'),
    modified: validator(answer.headers, 'last-modified'),
  }
  return { ...postsOf(feed, answer.url, linkOf, ctx.now()), cursor: JSON.stringify(next), isMore: false }
}

const validator = (headers: Headers, name: string) => {
  const value = headers.get(name)
  return value !== null && value.length <= validatorMax ? value : null
}

function feedFault(status: number, retryAfterMs: number | undefined): ServiceFault {
  if (status === 410) return new ServiceFault('unsupported', 'The feed no longer exists.', { code: 'gone' })
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

function parsed(body: Uint8Array, contentType: string): Feed {
  try {
    const text = decodeFeed(body, contentType)
    return /^\ufeff?\s*\{/.test(text.slice(0, 200))
      ? readJsonFeed(text.replace(/^\ufeff/, ''))
      : readXmlFeed(text)
  } catch (error) {
    if (error instanceof FeedError) throw unreadable(what, `it ${error.message}`)
    throw error
  }
}

function postsOf(
  { items, language }: Feed,
  base: string,
  linkOf: (item: FeedItem, base: string) => string | undefined,
  now: Date,
): Pick<SourceReading, 'posts' | 'unread'> {
  const unread: UnreadPost[] = []
  const posts = items.flatMap((item) => {
    const url = linkOf(item, base)
    if (url === undefined) {
      unread.push({ ...(item.id ? { source_id: item.id.slice(0, 500) } : {}), reason: 'link' })
      return []
    }
    const author = item.author?.slice(0, 200)
    return [
      postOf({
        source_id: idOf(item, url, base),
        channel: channelOf(url, 'web'),
        url,
        title: plainText(item.title ?? '', 300),
        body: item.text ?? plainText(item.html ?? ''),
        parent_url: resolved(item.parent, base),
        language: item.language ?? language,
        posted_at: instantOf(item.published) ?? instantOf(item.updated) ?? now.toISOString(),
        edited_at: instantOf(item.updated),
        author: { handle: author, url: resolved(item.authorUrl, base) },
      }),
    ]
  })
  if (posts.length === 0 && unread.length > 0) throw unreadable(what, 'no item has a link')
  return { posts, unread }
}

/** Ids are unique within a feed only, unless they are addresses. */
function idOf({ id }: FeedItem, url: string, base: string): string {
  const text =
    id === undefined ? url : /^(?:https?|tag|urn|at):/.test(id) ? id : `${new URL(base).host} ${id}`
  return text.length <= 300 ? text : `sha256:${new Bun.CryptoHasher('sha256').update(text).digest('hex')}`
}

/** Returns an address of a feed as an absolute web address. Undefined if it is none. */
export function resolved(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address.trim() === '') return undefined
  const url = URL.parse(address.trim(), base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

function instantOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text?.slice(0, 64) ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
