import { minuteMs, trimTrailing, unreadable } from 'renown'
import {
  askSource,
  cursorIn,
  type MentionSource,
  plainText,
  postOf,
  publicPolicy,
  readRows,
  secondsForm,
  textForm,
} from 'renown/leads'
import * as v from 'valibot'
import { itemId, recheckItems, site } from './items'
import { hackerNewsSettings } from './settings'

/** The number of hits that Algolia returns for a query, whatever the page. */
const hitsMax = 1_000
/** Algolia lists an item some minutes after it was posted. So each reading repeats this time. */
const repeatedSeconds = 600
const service = { label: 'Hacker News' }

const seconds = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Items after `after`, and not after `before` while a reading is split. `newest` is the newest item so far. */
const position = v.object({ after: seconds, before: v.nullable(seconds), newest: seconds })

const answer = v.object({ hits: v.array(v.unknown()), nbHits: seconds })
const hit = v.object({
  objectID: itemId,
  created_at_i: v.pipe(seconds, v.maxValue(9e9)),
  author: textForm,
  title: textForm,
  story_text: textForm,
  comment_text: textForm,
  story_id: v.nullish(seconds),
})
type Hit = v.InferOutput<typeof hit>

/** Stories and comments of Hacker News, by Algolia's search. */
export const hackerNews: MentionSource = {
  name: 'hackernews',
  label: 'Hacker News',
  channels: ['hackernews'],
  reach: 'search',
  everyMs: 5 * minuteMs,
  policy: { ...publicPolicy, terms_url: 'https://www.ycombinator.com/legal/' },
  // Algolia allows an address 10,000 requests an hour. Long answers need several.
  perHour: () => 3_000,
  needs: () => [],
  async read(ctx, { target, cursor, since, signal }) {
    const start = { after: Math.floor(Date.parse(since) / 1_000), before: null, newest: 0 }
    const { after, before, newest } = cursorIn(position, cursor) ?? start
    const range = [`created_at_i>${after}`, ...(before === null ? [] : [`created_at_i<=${before}`])]
    const { hits, nbHits } = await askSource(ctx, service, {
      url: `${trimTrailing(hackerNewsSettings.of(ctx).HACKERNEWS_URL, '/')}/search_by_date`,
      query: {
        query: `"${target.replaceAll('"', ' ')}"`,
        tags: '(story,comment)',
        hitsPerPage: hitsMax,
        numericFilters: range.join(','),
        advancedSyntax: 'true',
        typoTolerance: 'false',
        attributesToHighlight: '',
        restrictSearchableAttributes: 'title,story_text,comment_text',
      },
      answer,
      signal,
    })
    if (hits.length === 0 && nbHits > 0) throw unreadable('The answer of Hacker News', 'it has no hits')
    const { rows, unread } = readRows('The answer of Hacker News', hits, hit, 'objectID')
    const isOutside = (at: number) => at <= after || (before !== null && at > before)
    const inside = rows.filter(({ created_at_i }) => !isOutside(created_at_i))
    if (rows.length > 0 && inside.length === 0)
      throw unreadable('The answer of Hacker News', 'it repeats items of another time')
    const times = inside.map(({ created_at_i }) => created_at_i)
    const last = Math.min(Math.max(newest, ...times), Math.floor(ctx.now().getTime() / 1_000))
    const oldest = Math.min(...times)
    const isMore = nbHits > hits.length && oldest > after
    // Items of the oldest second may be on both sides of the split.
    const split = { after, before: oldest === before ? oldest - 1 : oldest, newest: last }
    const next = isMore
      ? split
      : { after: Math.max(after, last - repeatedSeconds), before: null, newest: last }
    const isCrowded = isMore && oldest === before
    const lost = isCrowded ? [{ reason: `more than ${hitsMax} items in one second` }] : []
    return {
      posts: inside.map(postOfHit),
      unread: [...unread, ...lost],
      cursor: JSON.stringify(next),
      isMore,
    }
  },
  recheck: recheckItems,
  evidence: {
    gone: {
      statement: '`deleted` or `dead` is true in the item',
      source: 'github.com/HackerNews/API',
      readings: 1,
    },
    missing: { statement: 'the item is `null`', source: 'github.com/HackerNews/API', readings: 2 },
  },
  postId: ({ hostname, pathname, searchParams }) => {
    const id = searchParams.get('id') ?? ''
    return hostname === 'news.ycombinator.com' && pathname === '/item' && v.is(itemId, id) ? id : null
  },
}

function postOfHit({ objectID, created_at_i, author, title, story_text, comment_text, story_id }: Hit) {
  const isReply = story_id != null && String(story_id) !== objectID
  return postOf({
    source_id: objectID,
    channel: 'hackernews',
    url: `${site}/item?id=${objectID}`,
    title: plainText(title, 300),
    body: plainText(comment_text || story_text),
    ...(isReply ? { parent_url: `${site}/item?id=${story_id}` } : {}),
    posted_at: v.parse(secondsForm, created_at_i),
    author: { handle: author, url: `${site}/user?id=${encodeURIComponent(author)}` },
  })
}
