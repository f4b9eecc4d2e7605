import { hourMs, type ServiceFault, trimTrailing, unreadable } from 'renown'
import {
  askSource,
  cursorIn,
  instantForm,
  type MentionSource,
  plainText,
  postOf,
  publicPolicy,
  readRows,
  type SourceAsk,
  type SourceContext,
  textForm,
} from 'renown/leads'
import * as v from 'valibot'
import { youTubeSettings } from './settings'

const what = 'The answer of YouTube'
const pageMax = 50
/** The search finds a video up to hours after it was published. So each reading repeats this time. */
const repeatedMs = 6 * hourMs
const videoId = v.pipe(v.string(), v.regex(/^[\w-]{1,20}$/))
const position = v.object({ after: instantForm, page: v.nullable(v.string()), newest: instantForm })
const page = v.object({
  items: v.array(v.unknown()),
  pageInfo: v.object({ totalResults: v.number() }),
  nextPageToken: v.nullish(v.pipe(v.string(), v.maxLength(500))),
})
const snippet = v.object({
  ...{ publishedAt: instantForm, channelId: v.string(), channelTitle: v.string() },
  ...{ title: v.string(), description: textForm },
})
const hit = v.object({ id: v.object({ videoId }), snippet })
const video = v.object({ id: videoId, snippet })

/** Videos of YouTube, by title and description. Google counts searches by the day, so they are rare. */
export const youTube: MentionSource = {
  ...{ name: 'youtube', label: 'YouTube', channels: ['youtube'], reach: 'search', everyMs: 6 * hourMs },
  policy: {
    ...{ ...publicPolicy, recheck_days: 30, delete_with_source: true, may_extract_contact: false },
    ...{
      attribution: 'YouTube',
      terms_url: 'https://developers.google.com/youtube/terms/developer-policies',
    },
  },
  perHour: (ctx) => Math.max(1, youTubeSettings.of(ctx).YOUTUBE_SEARCHES_PER_DAY) / 24,
  needs: (ctx) => (youTubeSettings.of(ctx).YOUTUBE_API_KEY === '' ? ['YOUTUBE_API_KEY'] : []),
  async read(ctx, { target, cursor, since, signal }) {
    const from = cursorIn(position, cursor) ?? { after: since, page: null, newest: since }
    const perDay = youTubeSettings.of(ctx).YOUTUBE_SEARCHES_PER_DAY
    const allowance = { provider: 'youtube-search', account: 'installation', perDay }
    await ctx.outbound.spend({ ...allowance, timezone: 'America/Los_Angeles' })
    const told = await ask(ctx, 'search', signal, {
      ...{ type: 'video', order: 'date', q: `"${target.replaceAll('"', ' ')}"`, publishedAfter: from.after },
      ...(from.page === null ? {} : { pageToken: from.page }),
    })
    const { rows, unread } = readRows(what, told.items, hit, 'id')
    const latest = Math.max(
      Date.parse(from.newest),
      ...rows.map((row) => Date.parse(row.snippet.publishedAt)),
    )
    const newest = new Date(Math.min(latest, ctx.now().getTime())).toISOString()
    const nextPage = told.nextPageToken ?? null
    const isMore = nextPage !== null && nextPage !== from.page && told.items.length > 0
    const repeated = Math.max(Date.parse(from.after), Date.parse(newest) - repeatedMs)
    const again = new Date(repeated).toISOString()
    const next = isMore ? { ...from, page: nextPage, newest } : { after: again, page: null, newest }
    const posts = rows.map(({ id, snippet }) => postOfVideo(id.videoId, snippet))
    return { posts, unread, cursor: JSON.stringify(next), isMore }
  },
  async recheck(ctx, ids, signal) {
    const asked = ids.filter((id) => v.is(videoId, id)).slice(0, pageMax)
    if (asked.length === 0) return []
    const told = await ask(ctx, 'videos', signal, { id: asked.join(',') })
    const { rows, unread } = readRows(what, told.items, video, 'id')
    if (unread.length > 0) throw unreadable(what, 'a video has an unknown form')
    const known = new Map(rows.map((row) => [row.id, row.snippet]))
    return asked.map((source_id) => {
      const found = known.get(source_id)
      if (found === undefined) return { source_id, state: 'gone' as const }
      return { source_id, state: 'found' as const, post: postOfVideo(source_id, found) }
    })
  },
}

const kinds: Readonly<Record<string, ServiceFault['kind']>> = {
  ...{ quotaExceeded: 'quota', dailyLimitExceeded: 'quota', rateLimitExceeded: 'rate', keyInvalid: 'auth' },
  ...{ accessNotConfigured: 'permission', forbidden: 'permission' },
}

const ask = (
  ctx: SourceContext,
  path: string,
  signal: AbortSignal,
  query: NonNullable<SourceAsk<v.GenericSchema>['query']>,
) => {
  const { YOUTUBE_URL, YOUTUBE_API_KEY: key } = youTubeSettings.of(ctx)
  const service = {
    ...{
      label: 'YouTube',
      headers: { 'x-goog-api-key': key },
      secrets: [key],
      keyNames: ['YOUTUBE_API_KEY'],
    },
    kindOf: (code: string, message: string) => (/API key/i.test(message) ? 'auth' : kinds[code]),
  }
  return askSource(ctx, service, {
    ...{ url: `${trimTrailing(YOUTUBE_URL, '/')}/${path}`, answer: page, signal },
    query: { part: 'snippet', maxResults: pageMax, ...query },
  })
}

function postOfVideo(
  id: string,
  { publishedAt, channelId, channelTitle, title, description }: v.InferOutput<typeof snippet>,
) {
  return postOf({
    ...{ source_id: id, channel: 'youtube', url: `https://www.youtube.com/watch?v=${id}` },
    ...{ title: plainText(title, 300), body: plainText(description), posted_at: publishedAt },
    author: {
      handle: plainText(channelTitle, 200),
      url: `https://www.youtube.com/channel/${encodeURIComponent(channelId)}`,
    },
  })
}
