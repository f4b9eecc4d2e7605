import { minuteMs, unreadable } from 'renown'
import { cursorIn, instantForm, type MentionSource, publicPolicy, readRows } from 'renown/leads'
import * as v from 'valibot'
import { atUri, isWithheld, postOfView, postView } from './post'
import { askBluesky, blueskyNeeds } from './session'

const what = 'The answer of Bluesky'
const pageMax = 100
const recheckMax = 25
/** Posts are found some minutes after they were written. So each reading repeats this time. */
const repeatedMs = 10 * minuteMs

const position = v.object({ since: instantForm, page: v.nullable(v.string()), newest: instantForm })
const answer = v.object({
  posts: v.array(v.unknown()),
  cursor: v.nullish(v.pipe(v.string(), v.maxLength(1_000))),
})

/** Posts of Bluesky that contain a term, by the search of an account with an app password. */
export const blueskySearch: MentionSource = {
  name: 'bluesky-search',
  label: 'Bluesky search',
  channels: ['bluesky'],
  reach: 'search',
  everyMs: 5 * minuteMs,
  policy: {
    ...publicPolicy,
    delete_with_source: true,
    recheck_days: 30,
    terms_url: 'https://docs.bsky.app/docs/support/developer-guidelines',
  },
  // Bluesky allows an address 3,000 requests in five minutes.
  perHour: () => 12_000,
  needs: blueskyNeeds,
  async read(ctx, { target, cursor, since, signal }) {
    const from = cursorIn(position, cursor) ?? { since, page: null, newest: since }
    const told = await askBluesky(ctx, 'app.bsky.feed.searchPosts', {
      query: {
        q: `"${target.replaceAll('"', ' ')}"`,
        sort: 'latest',
        since: from.since,
        limit: pageMax,
        ...(from.page === null ? {} : { cursor: from.page }),
      },
      answer,
      signal,
    })
    const { rows, unread } = readRows(what, told.posts, postView, 'uri')
    const found = rows.filter((row) => !isWithheld(row)).map(postOfView)
    const latest = Math.max(
      Date.parse(from.newest),
      ...found.map(({ posted_at }) => Date.parse(posted_at ?? from.newest)),
    )
    const newest = Math.min(latest, ctx.now().getTime())
    const page = told.cursor ?? null
    const isMore = page !== null && page !== from.page && told.posts.length > 0
    const again = Math.max(Date.parse(from.since), newest - repeatedMs)
    const next = isMore
      ? { ...from, page, newest: new Date(newest).toISOString() }
      : { since: new Date(again).toISOString(), page: null, newest: new Date(newest).toISOString() }
    return { posts: found, unread, cursor: JSON.stringify(next), isMore }
  },
  async recheck(ctx, ids, signal) {
    const asked = ids.filter((id) => v.is(atUri, id)).slice(0, recheckMax)
    if (asked.length === 0) return []
    const uris = asked.map((id) => `uris=${encodeURIComponent(id)}`).join('&')
    const { posts } = await askBluesky(ctx, `app.bsky.feed.getPosts?${uris}`, { answer: postsAnswer, signal })
    const { rows, unread } = readRows(what, posts, postView, 'uri')
    if (unread.length > 0) throw unreadable(what, 'a post has an unknown form')
    const known = new Map(rows.filter((row) => !isWithheld(row)).map((row) => [row.uri, row]))
    return asked.map((source_id) => {
      const found = known.get(source_id)
      if (found === undefined) return { source_id, state: 'gone' as const }
      return { source_id, state: 'found' as const, post: postOfView(found) }
    })
  },
}
const postsAnswer = v.object({ posts: v.array(v.unknown()) })
