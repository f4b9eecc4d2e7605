import { minuteMs, ServiceFault, unreadable } from 'renown'
import {
  cursorIn,
  type FoundPost,
  type MentionSource,
  postOf,
  publicPolicy,
  type UnreadPost,
} from 'renown/leads'
import { jsonBounds, parseForeignJson } from 'renown/sources'
import * as v from 'valibot'
import { addressOf, postRecord } from './post'
import { blueskySettings } from './settings'

const what = 'The stream of Bluesky'
const collection = 'app.bsky.feed.post'
/** Maximum posts of one reading. */
const postsMax = 5_000
const deletedMax = 5_000
const unreadMax = 100
/** The first reading begins this long ago. The stream of a whole day would be several gigabytes. */
const firstMs = 5 * minuteMs
/** Each reading repeats this time, because events are not exactly in order. The index keeps copies out. */
const repeatedUs = 5_000_000
/** A stream that begins this much later than asked has lost what was before. */
const lostUs = 10 * minuteMs * 1_000
const limits = { messageBytesMax: 1_000_000, bytesMax: 32 * 2 ** 20, timeoutMs: 30_000, idleMs: 10_000 }

const micros = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9e15))
const position = v.object({ us: micros, isMore: v.boolean() })

const event = v.object({
  did: v.pipe(v.string(), v.regex(/^did:[\w:.%-]{1,200}$/)),
  time_us: micros,
  kind: v.string(),
})
const rkey = v.pipe(v.string(), v.regex(/^[\w.~:-]{1,64}$/))
const commit = v.variant('operation', [
  v.object({ operation: v.picklist(['create', 'update']), collection: v.string(), rkey, record: postRecord }),
  v.object({ operation: v.literal('delete'), collection: v.string(), rkey }),
])

/** All new posts of Bluesky, by Jetstream. A switch, because it reads about 2 GB a day. */
export const blueskyStream: MentionSource = {
  name: 'bluesky-stream',
  label: 'Bluesky stream',
  channels: ['bluesky'],
  reach: 'everything',
  everyMs: minuteMs,
  policy: {
    ...publicPolicy,
    delete_with_source: true,
    terms_url: 'https://docs.bsky.app/docs/support/developer-guidelines',
  },
  needs: (ctx) => (blueskySettings.of(ctx).BLUESKY_STREAM === 'on' ? [] : ['BLUESKY_STREAM']),
  async read(ctx, { cursor, signal }) {
    const nowUs = ctx.now().getTime() * 1_000
    const known = cursorIn(position, cursor)
    const last = Math.min(known?.us ?? nowUs - firstMs * 1_000, nowUs)
    const from = known === null || known.isMore ? last : Math.max(0, last - repeatedUs)
    const page = newPage(from, nowUs)
    const query = new URLSearchParams({ wantedCollections: collection, cursor: String(from) })
    const address = `${blueskySettings.of(ctx).BLUESKY_STREAM_URL}?${query}`
    const end = await ctx.outbound.readSocket(address, { ...limits, signal }, page.add)
    if (page.events === 0 && page.unread.length > 0)
      throw unreadable(what, page.unread[0]?.reason ?? 'no event')
    if (page.events === 0) throw new ServiceFault('transient', `${what} sent nothing`, { code: end })
    const us = Math.max(last, page.newest)
    // Without any progress the same reading would repeat for ever.
    const isMore = (end === 'limit' || page.isFull) && us > last
    return {
      posts: [...page.posts.values()],
      unread: page.unread,
      deleted: [...page.deleted],
      cursor: JSON.stringify({ us, isMore }),
      isMore,
    }
  },
}

/** Collects the events of one reading. */
function newPage(from: number, nowUs: number) {
  const page = {
    posts: new Map<string, FoundPost>(),
    deleted: new Set<string>(),
    unread: [] as UnreadPost[],
    events: 0,
    newest: 0,
    isFull: false,
    /** Returns whether more events are needed. */
    add(text: string): boolean {
      const given = parsed(text)
      const read = v.safeParse(event, given)
      if (!read.success) {
        note(v.getDotPath(read.issues[0]) ?? 'the event')
        return true
      }
      const { did, time_us, kind } = read.output
      if (page.events++ === 0 && time_us > from + lostUs) note('events that the stream no longer has')
      // An event of the future would skip all events until then.
      page.newest = Math.max(page.newest, Math.min(time_us, nowUs))
      if (kind === 'commit') addCommit(did, time_us, (given as { commit?: unknown }).commit)
      page.isFull = page.posts.size >= postsMax || page.deleted.size >= deletedMax
      return time_us < nowUs && !page.isFull
    },
  }
  const note = (reason: string) => {
    if (page.unread.length < unreadMax) page.unread.push({ reason })
  }
  const addCommit = (did: string, time_us: number, given: unknown) => {
    const read = v.safeParse(commit, given)
    if (!read.success) return note(`commit.${v.getDotPath(read.issues[0]) ?? 'operation'}`)
    const { output } = read
    if (output.collection !== collection) return
    const uri = `at://${did}/${collection}/${output.rkey}`
    if (output.operation === 'delete') {
      page.posts.delete(uri)
      page.deleted.add(uri)
      return
    }
    page.deleted.delete(uri)
    const { text, createdAt, langs, reply } = output.record
    const seenMs = Math.min(time_us, nowUs) / 1_000
    const post = postOf({
      source_id: uri,
      channel: 'bluesky',
      url: addressOf(uri) ?? '',
      body: text,
      language: langs?.[0],
      parent_url: addressOf(reply?.parent.uri ?? ''),
      // Authors can write any time. The post was there when the stream had it.
      posted_at: new Date(Math.min(Date.parse(createdAt), seenMs)).toISOString(),
      // The stream contains no names. The profile is found by the id of the author.
      author: { handle: did, url: `https://bsky.app/profile/${did}` },
    })
    // A post of pictures alone has no text to match.
    if (text.trim() !== '') page.posts.set(uri, post)
  }
  return page
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text, jsonBounds)
  } catch {
    return undefined
  }
}
