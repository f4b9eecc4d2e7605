import { hourMs, unreadable } from 'renown'
import {
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
} from 'renown/leads'
import * as v from 'valibot'
import { askYouTube, what } from './ask'
import { readComments, recheckComments, videoId, watch, watchedForm } from './comments'
import { youTubeSettings } from './settings'

const pageMax = 50
/** The search finds a video up to hours after it was published. So each reading repeats this time. */
const repeatedMs = 6 * hourMs
const position = v.object({
  after: instantForm,
  page: v.nullable(v.string()),
  newest: instantForm,
  videos: v.optional(watchedForm, []),
})
const page = v.object({
  items: v.array(v.unknown()),
  pageInfo: v.object({ totalResults: v.number() }),
  nextPageToken: v.nullish(v.pipe(v.string(), v.maxLength(500))),
})
const snippet = v.object({
  publishedAt: instantForm,
  channelId: v.string(),
  channelTitle: v.string(),
  title: v.string(),
  description: textForm,
})
const hit = v.object({ id: v.object({ videoId }), snippet })
const video = v.object({ id: videoId, snippet })

/**
 * Videos of YouTube by title and description, and the comments on these videos that contain the term. Google counts searches by the
 * day, so they are rare.
 */
export const youTube: MentionSource = {
  name: 'youtube',
  label: 'YouTube',
  channels: ['youtube'],
  reach: 'search',
  everyMs: 6 * hourMs,
  policy: {
    ...publicPolicy,
    recheck_days: 30,
    delete_with_source: true,
    may_extract_contact: false,
    attribution: 'YouTube',
    terms_url: 'https://developers.google.com/youtube/terms/developer-policies',
  },
  perHour: (ctx) => Math.max(1, youTubeSettings.of(ctx).YOUTUBE_SEARCHES_PER_DAY) / 24,
  needs: (ctx) => (youTubeSettings.of(ctx).YOUTUBE_API_KEY === '' ? ['YOUTUBE_API_KEY'] : []),
  async read(ctx, { target, cursor, since, signal }) {
    const from = cursorIn(position, cursor) ?? { after: since, page: null, newest: since, videos: [] }
    const perDay = youTubeSettings.of(ctx).YOUTUBE_SEARCHES_PER_DAY
    const allowance = { provider: 'youtube-search', account: 'installation', perDay }
    await ctx.outbound.spend({ ...allowance, timezone: 'America/Los_Angeles' })
    const found = await askYouTube(ctx, 'search', page, signal, {
      part: 'snippet',
      maxResults: pageMax,
      type: 'video',
      order: 'date',
      q: `"${target.replaceAll('"', ' ')}"`,
      publishedAfter: from.after,
      ...(from.page === null ? {} : { pageToken: from.page }),
    })
    const { rows, unread } = readRows(what, found.items, hit, 'id')
    const latest = Math.max(
      Date.parse(from.newest),
      ...rows.map((row) => Date.parse(row.snippet.publishedAt)),
    )
    const newest = new Date(Math.min(latest, ctx.now().getTime())).toISOString()
    const nextPage = found.nextPageToken ?? null
    const isMore = nextPage !== null && nextPage !== from.page && found.items.length > 0
    const repeated = Math.max(Date.parse(from.after), Date.parse(newest) - repeatedMs)
    const again = new Date(repeated).toISOString()
    const posts = rows.map(({ id, snippet }) => postOfVideo(id.videoId, snippet))
    const videos = watch(
      from.videos,
      rows.map(({ id, snippet }) => ({ id: id.videoId, at: snippet.publishedAt })),
    )
    if (isMore) {
      const next = { ...from, page: nextPage, newest, videos }
      return { posts, unread, cursor: JSON.stringify(next), isMore }
    }
    const comments = await readComments(ctx, { videos, term: target, signal })
    const next = { after: again, page: null, newest, videos: comments.videos }
    return {
      posts: [...posts, ...comments.posts],
      unread: [...unread, ...comments.unread],
      cursor: JSON.stringify(next),
      isMore,
    }
  },
  recheck: async (ctx, ids, signal) => [
    ...(await recheckVideos(ctx, ids, signal)),
    ...(await recheckComments(ctx, ids, signal)),
  ],
  evidence: {
    gone: {
      statement: 'none: the API leaves deleted videos and comments out',
      source: 'developers.google.com/youtube/v3',
      readings: 2,
    },
    missing: {
      statement: 'the answer to a question for its id does not have it',
      source: 'developers.google.com/youtube/v3/docs/videos/list',
      readings: 2,
    },
  },
  postId: youTubePostId,
}

/** Returns the id of a video, or of a comment below it, by its address. */
export function youTubePostId({ hostname, pathname, searchParams }: URL): string | null {
  const host = hostname.replace(/^(?:www|m|music)\./, '')
  const [, first = '', second = ''] = pathname.split('/')
  const isPath = first === 'shorts' || first === 'live' || first === 'embed'
  const inSite = first === 'watch' ? (searchParams.get('v') ?? '') : isPath ? second : ''
  const video = host === 'youtu.be' ? first : host === 'youtube.com' ? inSite : ''
  if (!v.is(videoId, video)) return null
  const comment = searchParams.get('lc') ?? ''
  if (comment === '') return video
  return /^[\w.-]{1,80}$/.test(comment) ? `${video}/${comment}` : null
}

async function recheckVideos(
  ctx: SourceContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Recheck[]> {
  const asked = ids.filter((id) => v.is(videoId, id)).slice(0, pageMax)
  if (asked.length === 0) return []
  const { items } = await askYouTube(ctx, 'videos', page, signal, { part: 'snippet', id: asked.join(',') })
  const { rows, unread } = readRows(what, items, video, 'id')
  if (unread.length > 0) throw unreadable(what, 'a video has an unknown form')
  const known = new Map(rows.map((row) => [row.id, row.snippet]))
  return asked.map((source_id) => {
    const found = known.get(source_id)
    if (found === undefined) return { source_id, state: 'missing' as const }
    return { source_id, state: 'found' as const, post: postOfVideo(source_id, found) }
  })
}

function postOfVideo(
  id: string,
  { publishedAt, channelId, channelTitle, title, description }: v.InferOutput<typeof snippet>,
) {
  return postOf({
    source_id: id,
    channel: 'youtube',
    url: `https://www.youtube.com/watch?v=${id}`,
    title: plainText(title, 300),
    body: plainText(description),
    posted_at: publishedAt,
    author: {
      handle: plainText(channelTitle, 200),
      url: `https://www.youtube.com/channel/${encodeURIComponent(channelId)}`,
    },
  })
}
