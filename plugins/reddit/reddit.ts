import { isServiceFault, minuteMs, trimTrailing, unreadable } from 'renown'
import {
  askSource,
  cursorIn,
  type MentionSource,
  postOf,
  publicPolicy,
  type Recheck,
  readRows,
  type SourceAsk,
  type SourceContext,
  secondsForm,
  textForm,
} from 'renown/leads'
import { productState } from 'renown/pages'
import * as v from 'valibot'
import { redditPostId } from './post-id'
import { redditSettings } from './settings'

const what = 'The answer of Reddit'
const pageMax = 100
/** The search finds a post some minutes after it was written. So each reading repeats this time. */
const repeatedSeconds = 600
const words = v.pipe(v.string(), v.minLength(1))
const fullName = v.pipe(v.string(), v.regex(/^t3_[0-9a-z]{1,15}$/))
const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(9e9))
const position = v.object({ after: seconds, page: v.nullable(fullName), newest: seconds })
const token = v.object({ access_token: words })
const listing = v.object({
  kind: v.literal('Listing'),
  data: v.object({ after: v.nullish(fullName), children: v.array(v.unknown()) }),
})
const row = v.object({
  kind: v.literal('t3'),
  data: v.object({
    name: fullName,
    title: words,
    selftext: textForm,
    permalink: v.pipe(v.string(), v.startsWith('/r/')),
    author: words,
    created_utc: seconds,
    removed_by_category: v.nullish(v.string()),
    edited: v.nullish(v.union([v.boolean(), seconds])),
  }),
})
type Post = v.InferOutput<typeof row>['data']
const commentName = v.pipe(v.string(), v.regex(/^t1_[0-9a-z]{1,15}$/))
/** A comment, which other services find and the search does not. */
const commentRow = v.object({
  kind: v.literal('t1'),
  data: v.object({
    name: commentName,
    body: words,
    permalink: v.pipe(v.string(), v.startsWith('/r/')),
    author: words,
    created_utc: seconds,
    edited: v.nullish(v.union([v.boolean(), seconds])),
  }),
})
type Comment = v.InferOutput<typeof commentRow>['data']

/** The access token of the app. Reddit issues one for a day. */
const tokens = productState(() => new Map<string, string>())

/** Posts of Reddit, for holders of a key that Reddit approved. Comments cannot be searched. */
export const reddit: MentionSource = {
  name: 'reddit',
  label: 'Reddit',
  channels: ['reddit'],
  reach: 'search',
  everyMs: 15 * minuteMs,
  policy: {
    ...publicPolicy,
    recheck_days: 1,
    delete_with_source: true,
    may_link_identity: false,
    may_extract_contact: false,
    terms_url: 'https://support.reddithelp.com/hc/en-us/articles/42728983564564-Responsible-Builder-Policy',
  },
  // Reddit allows an app 100 requests a minute. Half of them stay for rechecks and replies.
  perHour: () => 3_000,
  needs(ctx) {
    const { REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET, REDDIT_USER } = redditSettings.of(ctx)
    const given = Object.entries({ REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET, REDDIT_USER })
    return given.flatMap(([name, value]) => (value === '' ? [name] : []))
  },
  async read(ctx, { target, cursor, since, signal }) {
    const start = Math.floor(Date.parse(since) / 1_000)
    const from = cursorIn(position, cursor) ?? { after: start, page: null, newest: start }
    const { data } = await ask(ctx, '/search', signal, {
      q: `"${target.replaceAll('"', ' ')}"`,
      sort: 'new',
      t: 'week',
      type: 'link',
      limit: pageMax,
      ...(from.page === null ? {} : { after: from.page }),
    })
    const { rows, unread } = readRows(what, data.children, row, 'name')
    const all = rows.map((one) => one.data)
    const fresh = all.filter(({ created_utc }) => created_utc >= from.after)
    const latest = Math.max(from.newest, ...fresh.map(({ created_utc }) => created_utc))
    const newest = Math.min(latest, ctx.now().getTime() / 1_000)
    const page = data.after ?? null
    const isMore = page !== null && page !== from.page && fresh.length > 0 && fresh.length === all.length
    const next = isMore
      ? { ...from, page, newest }
      : { after: Math.max(from.after, newest - repeatedSeconds), page: null, newest }
    return { posts: fresh.filter(isThere).map(postOfRow), unread, cursor: JSON.stringify(next), isMore }
  },
  async recheck(ctx, ids, signal) {
    const asked = ids.filter((id) => v.is(v.union([fullName, commentName]), id)).slice(0, pageMax)
    if (asked.length === 0) return []
    const { data } = await ask(ctx, '/api/info', signal, { id: asked.join(',') })
    const { rows, unread } = readRows(what, data.children, v.union([row, commentRow]), 'name')
    if (unread.length > 0) throw unreadable(what, 'a post has an unknown form')
    const known = new Map(rows.map((one) => [one.data.name, one.data]))
    return asked.map((source_id): Recheck => {
      const found = known.get(source_id)
      if (found === undefined) return { source_id, state: 'missing' }
      if ('body' in found)
        return isDeleted(found.author, found.body)
          ? { source_id, state: 'gone' }
          : { source_id, state: 'found', post: postOfComment(found) }
      if (!isThere(found)) return { source_id, state: 'gone' }
      return { source_id, state: 'found', post: postOfRow(found) }
    })
  },
  evidence: {
    gone: {
      statement: '`[deleted]` or `[removed]` in place of author or text, or `removed_by_category`',
      source: 'reddit.com/dev/api, fields of a link and a comment',
      readings: 1,
    },
    missing: {
      statement: 'the answer to a question for its fullname does not have it',
      source: 'reddit.com/dev/api#GET_api_info',
      readings: 2,
    },
  },
  postId: redditPostId,
}

/** Whether neither the author nor a moderator removed the post. */
const isThere = ({ author, removed_by_category, selftext }: Post) =>
  removed_by_category == null && !isDeleted(author, selftext)

const isDeleted = (author: string, text: string) =>
  author === '[deleted]' || text === '[removed]' || text === '[deleted]'

async function ask(
  ctx: SourceContext,
  path: string,
  signal: AbortSignal,
  query: NonNullable<SourceAsk<v.GenericSchema>['query']>,
) {
  const { REDDIT_URL, REDDIT_TOKEN_URL, ...settings } = redditSettings.of(ctx)
  const { REDDIT_CLIENT_ID: id, REDDIT_CLIENT_SECRET: secret, REDDIT_USER: user } = settings
  const agent = `web:renown:v1 (by /u/${user})`
  const names = { label: 'Reddit', keyNames: ['REDDIT_CLIENT_ID', 'REDDIT_CLIENT_SECRET'] }
  const serviceOf = (authorization: string, secrets: readonly string[]) => ({
    ...names,
    headers: { authorization, 'user-agent': agent },
    secrets: [secret, ...secrets],
  })
  const known = tokens(ctx).get(id)
  const send = (bearer: string) =>
    askSource(ctx, serviceOf(`Bearer ${bearer}`, [bearer]), {
      url: `${trimTrailing(REDDIT_URL, '/')}${path}`,
      answer: listing,
      signal,
      query: { ...query, raw_json: 1 },
    })
  if (known !== undefined) {
    try {
      return await send(known)
    } catch (error) {
      if (!isServiceFault(error) || error.kind !== 'auth') throw error
      tokens(ctx).delete(id)
    }
  }
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const form = { grant_type: 'client_credentials' }
  const issued = await askSource(ctx, serviceOf(basic, []), {
    url: REDDIT_TOKEN_URL,
    form,
    answer: token,
    signal,
  })
  tokens(ctx).set(id, issued.access_token)
  return send(issued.access_token)
}

const editedAt = (edited: Post['edited']) =>
  typeof edited === 'number' ? v.parse(secondsForm, edited) : undefined

const authorOf = (handle: string) => ({
  handle,
  url: `https://www.reddit.com/user/${encodeURIComponent(handle)}`,
})

const postOfComment = ({ name, body, permalink, author, created_utc, edited }: Comment) =>
  postOf({
    source_id: name,
    channel: 'reddit',
    url: `https://www.reddit.com${permalink}`,
    body,
    posted_at: v.parse(secondsForm, created_utc),
    edited_at: editedAt(edited),
    author: authorOf(author),
  })

function postOfRow({ name, title, selftext, permalink, author, created_utc, edited }: Post) {
  return postOf({
    source_id: name,
    channel: 'reddit',
    url: `https://www.reddit.com${permalink}`,
    title,
    body: selftext,
    posted_at: v.parse(secondsForm, created_utc),
    edited_at: editedAt(edited),
    author: authorOf(author),
  })
}
