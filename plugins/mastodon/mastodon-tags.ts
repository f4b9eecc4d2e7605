import { isServiceFault, minuteMs, trimTrailing, unreadable } from 'renown'
import {
  askSource,
  cursorIn,
  instantForm,
  type MentionSource,
  plainText,
  postOf,
  publicPolicy,
  type Recheck,
  readRows,
  type SourceContext,
  textForm,
  type UnreadPost,
} from 'renown/leads'
import * as v from 'valibot'
import { mastodonSettings } from './settings'

const pageMax = 40
const recheckMax = 40
const what = 'The answer of Mastodon'

const id = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{1,64}$/))
/** Pages of the first reading. 4,000 posts are more than a server lets a person scroll through. */
const firstPagesMax = 100
/** Posts after `id` were read. During the first reading, those before `below` still have to be. */
const position = v.object({
  id: v.nullable(id),
  below: v.optional(id),
  pages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
})
type Position = v.InferOutput<typeof position>
const choice = v.nullish(v.boolean())
const account = v.object({
  acct: v.pipe(v.string(), v.minLength(1)),
  display_name: textForm,
  url: textForm,
  avatar: textForm,
  followers_count: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  indexable: choice,
  discoverable: choice,
  noindex: choice,
})
/** Whom a post is for. Servers of other software know one more. Another value is a post that cannot be read. */
const visibilities = ['public', 'unlisted', 'private', 'direct', 'mutuals_only', 'local'] as const

const status = v.object({
  id,
  created_at: instantForm,
  edited_at: v.nullish(instantForm),
  url: v.string(),
  content: v.string(),
  spoiler_text: textForm,
  language: v.nullish(v.string()),
  visibility: v.picklist(visibilities),
  account,
  in_reply_to_id: v.nullish(id),
  reblog: v.nullish(v.object({ id })),
})
type Status = v.InferOutput<typeof status>
/** Words that the answer leaves out would look like an edit. */
const wholeStatus = v.object({ ...status.entries, spoiler_text: v.string() })

/**
 * Public posts with a hashtag, on one server. A term is read as the hashtag of the same letters. Posts of people who do
 * not allow search engines to list their posts are left out.
 */
export const mastodonTags: MentionSource = {
  name: 'mastodon',
  label: 'Mastodon',
  channels: ['mastodon'],
  reach: 'search',
  everyMs: 5 * minuteMs,
  policy: {
    ...publicPolicy,
    delete_with_source: true,
    recheck_days: 30,
    terms_url: 'https://docs.joinmastodon.org/user/preferences/',
  },
  needs: (ctx) => (mastodonSettings.of(ctx).MASTODON_URL === '' ? ['MASTODON_URL'] : []),
  // Servers allow 300 requests in five minutes.
  perHour: () => 2_400,
  termFor: tagOf,
  async read(ctx, { target, cursor, since, signal }) {
    const from = cursorIn(position, cursor) ?? { id: null, pages: 0 }
    // Without `min_id` or `max_id`, a server lists the newest posts.
    const later: Record<string, string> = from.id === null ? {} : { min_id: from.id }
    const place = from.below === undefined ? later : { max_id: from.below }
    const given = await ask(ctx, signal, {
      path: `/api/v1/timelines/tag/${encodeURIComponent(tagOf(target) ?? target)}`,
      query: { limit: pageMax, ...place },
      answer: v.array(v.unknown()),
    })
    const { rows, unread } = readRows(what, given, status, 'id')
    const isFirst = from.id === null || from.below !== undefined
    const step = isFirst ? firstStep(from, rows, since) : laterStep(from, rows, given.length)
    return {
      posts: rows.filter((row) => isOpen(row) && (!isFirst || row.created_at >= since)).map(postOfStatus),
      unread: [...unread, ...step.left],
      cursor: JSON.stringify(step.next),
      isMore: step.isMore,
    }
  },
  async recheck(ctx, ids, signal) {
    const found: Recheck[] = []
    for (const source_id of ids.filter((one) => v.is(id, one)).slice(0, recheckMax)) {
      const asked = { path: `/api/v1/statuses/${source_id}`, query: {}, answer: wholeStatus }
      const row = await ask(ctx, signal, asked).catch(goneOrThrow)
      if (row !== null && row.id !== source_id) throw unreadable(what, 'it is another post')
      if (row === null) found.push({ source_id, state: 'missing' })
      // A person who no longer allows search engines is treated as one who deleted the post.
      else if (!isOpen(row)) found.push({ source_id, state: 'gone' })
      else found.push({ source_id, state: 'found', post: postOfStatus(row) })
    }
    return found
  },
  evidence: {
    gone: {
      statement: 'the status is no longer public, or its author opted out of search engines',
      source: 'docs.joinmastodon.org/entities/Account',
      readings: 1,
    },
    missing: {
      statement: '404 `Record not found`, which a server also answers for what it hides',
      source: 'docs.joinmastodon.org/methods/statuses',
      readings: 2,
    },
  },
}

interface Step {
  readonly next: Position
  readonly isMore: boolean
  /** Posts that cannot be read. */
  readonly left: readonly UnreadPost[]
}

/** Returns where the first reading goes on. It follows the pages back until a page has no post of the time that is wanted. */
function firstStep({ id: known, below, pages }: Position, rows: readonly Status[], since: string): Step {
  const newest = newestOf(rows, known)
  const oldest = rows.reduce<string | null>(
    (min, row) => (min === null || isAfter(min, row.id) ? row.id : min),
    null,
  )
  const end = { next: { id: newest, pages: 0 }, isMore: false, left: [] }
  if (oldest === null || rows.every(({ created_at }) => created_at < since)) return end
  const reason = `posts before ${rows.at(-1)?.created_at ?? since}`
  // A server that does not know `max_id` sends its newest page again.
  const isRepeated = below !== undefined && !isAfter(below, oldest)
  if (isRepeated) return { ...end, left: rows.length < pageMax ? [] : [{ reason }] }
  if (pages + 1 >= firstPagesMax) return { ...end, left: [{ reason }] }
  return { next: { id: newest, below: oldest, pages: pages + 1 }, isMore: true, left: [] }
}

/** Returns where a later reading goes on: after the newest post of the page. */
function laterStep({ id: last }: Position, rows: readonly Status[], count: number): Step {
  const newest = newestOf(rows, last)
  return { next: { id: newest, pages: 0 }, isMore: count >= pageMax && newest !== last, left: [] }
}

const newestOf = (rows: readonly Status[], known: string | null): string | null =>
  rows.reduce<string | null>((max, row) => (isAfter(row.id, max) ? row.id : max), known)

/** Returns the hashtag with the letters and digits of a term, or null if a hashtag cannot be made of it. */
export function tagOf(term: string): string | null {
  const tag = term.replace(/[^\p{L}\p{M}\p{N}_]/gu, '').toLowerCase()
  return tag.length <= 100 && /\p{L}/u.test(tag) ? tag : null
}

interface Asked<S extends v.GenericSchema> {
  readonly path: string
  readonly query: Readonly<Record<string, string | number>>
  readonly answer: S
}

function ask<S extends v.GenericSchema>(
  ctx: SourceContext,
  signal: AbortSignal,
  { path, ...asked }: Asked<S>,
) {
  const { MASTODON_URL, MASTODON_TOKEN: token } = mastodonSettings.of(ctx)
  const service = {
    label: 'Mastodon',
    secrets: [token],
    keyNames: ['MASTODON_TOKEN'],
    ...(token === '' ? {} : { headers: { authorization: `Bearer ${token}` } }),
    kindOf: (_: string, message: string) =>
      /authenticated user/i.test(message) ? ('auth' as const) : undefined,
  }
  return askSource(ctx, service, { ...asked, url: `${trimTrailing(MASTODON_URL, '/')}${path}`, signal })
}

/** Returns null if the server itself says that the post does not exist. Any other 404 proves nothing. */
function goneOrThrow(error: unknown): null {
  if (isServiceFault(error) && error.code === 'Record not found') return null
  throw error
}

/** Ids grow with time. Longer ones are newer. */
const isAfter = (one: string, other: string | null) =>
  other === null || one.length > other.length || (one.length === other.length && one > other)

/** Whether a post is public and its author allows that it is found by a search. */
function isOpen({ visibility, reblog, account: { indexable, discoverable, noindex } }: Status): boolean {
  return visibility === 'public' && reblog == null && noindex !== true && (indexable ?? discoverable) === true
}

function postOfStatus({ id, created_at, edited_at, url, content, spoiler_text, language, account }: Status) {
  return postOf({
    source_id: id,
    channel: 'mastodon',
    url,
    title: plainText(spoiler_text, 300),
    body: plainText(content),
    language,
    posted_at: created_at,
    edited_at,
    author: {
      handle: account.acct,
      name: account.display_name,
      url: account.url,
      avatar_url: account.avatar,
      followers: account.followers_count,
    },
  })
}
