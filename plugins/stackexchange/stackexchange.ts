import { hourMs, ServiceFault, trimTrailing, unreadable } from 'renown'
import {
  askSource,
  cursorIn,
  type FoundPost,
  type MentionSource,
  plainText,
  postOf,
  publicPolicy,
  type Recheck,
  readRows,
  type SourceContext,
  type SourceService,
  secondsForm,
  textForm,
} from 'renown/leads'
import { productState } from 'renown/pages'
import * as v from 'valibot'
import { stackExchangeSettings } from './settings'

const what = 'The answer of Stack Exchange'
const pageMax = 100
/** The search finds a post some minutes after it was written. So each reading repeats this time. */
const repeatedSeconds = 600
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const position = v.object({ after: count })
const page = v.object({
  items: v.array(v.unknown()),
  has_more: v.boolean(),
  backoff: v.nullish(count),
  quota_remaining: v.nullish(v.number()),
})
const excerpt = v.object({
  question_id: count,
  answer_id: v.nullish(count),
  title: v.string(),
  creation_date: count,
})
const owner = v.nullish(v.object({ display_name: textForm, link: textForm, profile_image: textForm }))
const post = v.object({
  post_id: count,
  link: v.string(),
  body: v.string(),
  creation_date: secondsForm,
  owner,
  title: v.nullish(v.string()),
  last_edit_date: v.nullish(secondsForm),
})
type Method = 'search/excerpts' | 'posts'

/** When each method may be called again. */
const pauses = productState(() => new Map<string, number>())

/**
 * Questions and answers of a Stack Exchange site. The search returns excerpts without authors, so the posts are read
 * too: their licence requires the author and the link.
 */
export const stackExchange: MentionSource = {
  name: 'stackexchange',
  label: 'Stack Exchange',
  channels: ['forum'],
  reach: 'search',
  everyMs: hourMs,
  policy: {
    ...publicPolicy,
    attribution: 'Stack Exchange, CC BY-SA 4.0. Name the author and link the post.',
    terms_url: 'https://stackoverflow.com/help/licensing',
  },
  // A reading needs two requests: the search and the posts. A sixth of the requests stays for looking at posts again.
  perHour: (ctx) => (stackExchangeSettings.of(ctx).STACKEXCHANGE_KEY === '' ? 250 : 8_300) / 24 / 2,
  needs: (ctx) => (stackExchangeSettings.of(ctx).STACKEXCHANGE_SITE === '' ? ['STACKEXCHANGE_SITE'] : []),
  async read(ctx, { target, cursor, since, signal }) {
    const after = cursorIn(position, cursor)?.after ?? Math.floor(Date.parse(since) / 1_000)
    const query = { q: `"${target.replaceAll('"', ' ')}"`, fromdate: after, sort: 'creation', order: 'asc' }
    const { items, has_more } = await ask(ctx, 'search/excerpts', '', query, signal)
    const { rows, unread } = readRows(what, items, excerpt, 'question_id')
    const titles = new Map(rows.map((row) => [row.answer_id ?? row.question_id, row]))
    const { posts, missing } = await postsOf(ctx, titles, signal)
    const latest = Math.max(after, ...rows.map((row) => row.creation_date))
    const newest = Math.min(latest, Math.floor(ctx.now().getTime() / 1_000))
    const isMore = has_more && newest > after
    const next = { after: isMore ? newest : Math.max(after, newest - repeatedSeconds) }
    return { posts, unread: [...unread, ...missing], cursor: JSON.stringify(next), isMore }
  },
  async recheck(ctx, ids, signal) {
    const { STACKEXCHANGE_SITE: site } = stackExchangeSettings.of(ctx)
    const asked = new Map(ids.flatMap((id) => (id.startsWith(`${site}-`) ? [[numberOf(id), id]] : [])))
    asked.delete(null)
    const some = [...asked].slice(0, pageMax)
    if (some.length === 0) return []
    const path = `/${some.map(([number]) => number).join(';')}`
    const { items, has_more } = await ask(ctx, 'posts', path, { filter: 'withbody' }, signal)
    const { rows, unread } = readRows(what, items, post, 'post_id')
    if (unread.length > 0 || has_more) throw unreadable(what, 'it is not complete')
    const known = new Map(rows.map((row) => [row.post_id, row]))
    return some.map(([number, source_id]): Recheck => {
      const row = known.get(number as number)
      if (row === undefined) return { source_id, state: 'missing' }
      return { source_id, state: 'found', post: postOfRow(row, site, row.title ?? '') }
    })
  },
  evidence: {
    gone: {
      statement: 'none: the API leaves deleted posts out',
      source: 'api.stackexchange.com/docs/posts-by-ids',
      readings: 2,
    },
    missing: {
      statement: 'a complete answer to a question for its id does not have it',
      source: 'api.stackexchange.com/docs/posts-by-ids',
      readings: 2,
    },
  },
}

const numberOf = (id: string): number | null => {
  const [, digits] = /-(\d{1,15})$/.exec(id) ?? []
  return digits === undefined ? null : Number(digits)
}

async function postsOf(
  ctx: SourceContext,
  found: ReadonlyMap<number, v.InferOutput<typeof excerpt>>,
  signal: AbortSignal,
) {
  if (found.size === 0) return { posts: [], missing: [] }
  const { STACKEXCHANGE_SITE: site } = stackExchangeSettings.of(ctx)
  const ids = [...found.keys()]
  const { items } = await ask(ctx, 'posts', `/${ids.join(';')}`, { filter: 'withbody' }, signal)
  const { rows } = readRows(what, items, post, 'post_id')
  const posts = rows.flatMap((row): FoundPost[] => {
    const excerpt = found.get(row.post_id)
    if (excerpt === undefined) return []
    return [postOfRow(row, site, excerpt.title)]
  })
  const known = new Set(posts.map(({ source_id }) => source_id))
  const missing = ids.map((id) => `${site}-${id}`).filter((source_id) => !known.has(source_id))
  return { posts, missing: missing.map((source_id) => ({ source_id, reason: 'post' })) }
}

function postOfRow(
  { owner: by, ...row }: v.InferOutput<typeof post>,
  site: string,
  title: string,
): FoundPost {
  return postOf({
    source_id: `${site}-${row.post_id}`,
    channel: 'forum',
    url: row.link,
    title: plainText(title, 300),
    body: plainText(row.body),
    posted_at: row.creation_date,
    edited_at: row.last_edit_date,
    language: site.startsWith('stack') ? 'en' : undefined,
    author: {
      handle: plainText(by?.display_name ?? '', 200),
      url: by?.link,
      avatar_url: by?.profile_image,
    },
  })
}

const service: SourceService = {
  label: 'Stack Exchange',
  keyNames: ['STACKEXCHANGE_KEY'],
  kindOf: (code) => kinds[code],
}
const kinds: Readonly<Record<string, ServiceFault['kind']>> = {
  throttle_violation: 'rate',
  temporarily_unavailable: 'transient',
  internal_error: 'transient',
  key_required: 'auth',
  access_denied: 'permission',
}

/** Calls a method, unless the service asked to wait with `backoff`, which applies to the method. */
async function ask(
  ctx: SourceContext,
  method: Method,
  path: string,
  given: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
) {
  const {
    STACKEXCHANGE_URL,
    STACKEXCHANGE_SITE: site,
    STACKEXCHANGE_KEY: key,
  } = stackExchangeSettings.of(ctx)
  const waitMs = (pauses(ctx).get(method) ?? 0) - ctx.now().getTime()
  if (waitMs > 0) {
    throw new ServiceFault('rate', 'Stack Exchange asked to wait.', { code: 'backoff', retryAfterMs: waitMs })
  }
  const perDay = key === '' ? 300 : 10_000
  await ctx.outbound.spend({ provider: 'stackexchange', account: 'installation', perDay })
  const query = { ...given, site, pagesize: pageMax, ...(key === '' ? {} : { key }) }
  const url = `${trimTrailing(STACKEXCHANGE_URL, '/')}/${method}${path}`
  const asked = { url, query, answer: page, signal }
  const told = await askSource(ctx, { ...service, secrets: [key] }, asked)
  if (told.backoff) pauses(ctx).set(method, ctx.now().getTime() + told.backoff * 1_000)
  return told
}
