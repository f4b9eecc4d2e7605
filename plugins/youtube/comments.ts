import { hourMs, isServiceFault, unreadable } from 'renown'
import {
  type FoundPost,
  instantForm,
  plainText,
  postOf,
  type Recheck,
  readRows,
  type SourceContext,
  type UnreadPost,
} from 'renown/leads'
import * as v from 'valibot'
import { askYouTube, what } from './ask'
import { youTubeSettings } from './settings'

/** Videos of one term whose comments are read. */
const watchedMax = 50
const pageMax = 100
/** Pages of comments that a reading takes from one video. */
const pagesMax = 5
/** Requests at the same time. */
const atOnce = 5
/** Maximum comments that YouTube returns by their ids. */
const idsMax = 50
/** YouTube finds a comment some time after it was written. So each reading repeats this time. */
const repeatedMs = 6 * hourMs

/** The id of a video. */
export const videoId = v.pipe(v.string(), v.regex(/^[\w-]{1,20}$/))
/** A video, and the second of its newest comment that was read. Before the first comment: of its publication. */
const watched = v.tuple([videoId, v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9e9))])
type Watched = v.InferOutput<typeof watched>
/** The videos of one term, as they are stored in its cursor. */
export const watchedForm = v.pipe(v.array(watched), v.maxLength(watchedMax))

const commentId = v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/))
const line = v.nullish(v.string())
const comment = v.object({
  id: commentId,
  snippet: v.object({
    textOriginal: line,
    textDisplay: v.string(),
    publishedAt: instantForm,
    updatedAt: instantForm,
    authorDisplayName: v.string(),
    authorProfileImageUrl: line,
    authorChannelUrl: line,
  }),
})
type Comment = v.InferOutput<typeof comment>
const thread = v.object({ id: commentId, snippet: v.object({ topLevelComment: comment }) })
const threads = v.object({
  kind: v.literal('youtube#commentThreadListResponse'),
  items: v.array(v.unknown()),
  nextPageToken: v.nullish(v.pipe(v.string(), v.maxLength(2_000))),
})
const comments = v.object({ kind: v.literal('youtube#commentListResponse'), items: v.array(v.unknown()) })

const secondsOf = (instant: string) => Math.max(0, Math.floor(Date.parse(instant) / 1_000))

/** Adds found videos to those whose comments are read. If there are too many, the ones that were quiet the longest leave. */
export function watch(
  known: readonly Watched[],
  found: readonly { readonly id: string; readonly at: string }[],
): readonly Watched[] {
  const ids = new Set(known.map(([id]) => id))
  const fresh = found.flatMap(({ id, at }): Watched[] => (ids.has(id) ? [] : [[id, secondsOf(at)]]))
  const all = [...fresh, ...known]
  const newest = all.toSorted(([, a], [, b]) => b - a).slice(0, watchedMax)
  const kept = new Set(newest.map(([id]) => id))
  return all.filter(([id]) => kept.delete(id))
}

interface CommentRequest {
  /** The videos, those that have waited longest first. */
  readonly videos: readonly Watched[]
  readonly term: string
  readonly signal: AbortSignal
}

interface FoundComments {
  readonly posts: readonly FoundPost[]
  readonly unread: readonly UnreadPost[]
  readonly videos: readonly Watched[]
}

/**
 * Reads the comments on videos that contain a term, since the last reading. When the budget of the day is used up, the remaining
 * videos are counted as unread and come first in the next reading.
 */
export async function readComments(ctx: SourceContext, request: CommentRequest): Promise<FoundComments> {
  const posts: FoundPost[] = []
  const unread: UnreadPost[] = []
  const done: Watched[] = []
  const queue = [...request.videos]
  while (queue.length > 0) {
    const group = queue.splice(0, atOnce)
    const looks = await Promise.all(group.map((video) => commentsOf(ctx, video, request)))
    for (const look of looks) {
      posts.push(...look.posts)
      unread.push(...look.unread)
    }
    done.push(...looks.flatMap(({ video }) => (video === null ? [] : [video])))
    const spent = group.filter((_, index) => looks[index]?.isSpent)
    if (spent.length === 0) continue
    const left = [...spent, ...queue]
    unread.push({ reason: `comments on ${left.length} videos: the budget of the day is used up` })
    return { posts, unread, videos: [...left, ...done] }
  }
  return { posts, unread, videos: done }
}

interface Look {
  readonly posts: readonly FoundPost[]
  readonly unread: readonly UnreadPost[]
  /** Null if it is not read again: it is gone, accepts no comments, or the budget is used up. */
  readonly video: Watched | null
  readonly isSpent?: boolean
}

async function commentsOf(ctx: SourceContext, video: Watched, request: CommentRequest): Promise<Look> {
  const [id, since] = video
  const from = since * 1_000 - repeatedMs
  const posts: FoundPost[] = []
  const unread: UnreadPost[] = []
  let newest = since
  let pageToken: string | null | undefined
  for (let pages = 0; ; pages++) {
    const isOver = pages === pagesMax
    if (isOver) unread.push({ reason: `more than ${pagesMax * pageMax} new comments on the video ${id}` })
    if (isOver) break
    if (!(await mayAsk(ctx))) return { posts, unread, video: null, isSpent: true }
    const answer = await askThreads(ctx, id, pageToken, request)
    // Its comments were turned off, or the video was removed.
    if (answer === 'ended') return { posts, unread, video: null }
    if (answer === 'failed') {
      unread.push({ reason: `comments on the video ${id}: YouTube could not read them` })
      break
    }
    const { rows, unread: torn } = readRows(what, answer.items, thread, 'id')
    unread.push(...torn)
    const found = rows.map(({ snippet }) => snippet.topLevelComment)
    posts.push(...found.map((one) => postOfComment(id, one)))
    const now = ctx.now().getTime() / 1_000
    for (const { snippet } of found) newest = Math.max(newest, Math.min(secondsOf(snippet.publishedAt), now))
    const last = found.at(-1)
    const reachesBack = last !== undefined && Date.parse(last.snippet.publishedAt) < from
    const isLast = !answer.nextPageToken || answer.nextPageToken === pageToken || answer.items.length === 0
    if (isLast || reachesBack) break
    pageToken = answer.nextPageToken
  }
  return { posts, unread, video: [id, Math.floor(newest)] }
}

/** Uses one unit of the budget for comments. Returns false if nothing of it is left today. */
async function mayAsk(ctx: SourceContext): Promise<boolean> {
  const perDay = youTubeSettings.of(ctx).YOUTUBE_COMMENT_READS_PER_DAY
  const allowance = { provider: 'youtube-comments', account: 'installation', perDay }
  try {
    await ctx.outbound.spend({ ...allowance, timezone: 'America/Los_Angeles' })
    return true
  } catch (error) {
    if (isServiceFault(error) && error.kind === 'quota') return false
    throw error
  }
}

/** Returns a page of threads, newest first. `ended`: the video has no comments to read any more. `failed`: only this video cannot be read. */
async function askThreads(
  ctx: SourceContext,
  videoId: string,
  pageToken: string | null | undefined,
  { term, signal }: CommentRequest,
): Promise<v.InferOutput<typeof threads> | 'ended' | 'failed'> {
  const query = {
    part: 'snippet',
    videoId,
    order: 'time',
    maxResults: pageMax,
    textFormat: 'plainText',
    searchTerms: term.replaceAll('"', ' '),
    ...(pageToken ? { pageToken } : {}),
  }
  try {
    return await askYouTube(ctx, 'commentThreads', threads, signal, query)
  } catch (error) {
    const code = isServiceFault(error) ? error.code : undefined
    if (code === 'commentsDisabled' || code === 'videoNotFound') return 'ended'
    if (code === 'processingFailure') return 'failed'
    throw error
  }
}

/** A comment is stored by the ids of its video and its own, because YouTube does not name the video when it is read again. */
const idOf = (video: string, id: string) => `${video}/${id}`

function postOfComment(video: string, { id, snippet }: Comment): FoundPost {
  const { textOriginal, textDisplay, publishedAt, updatedAt } = snippet
  const address = `https://www.youtube.com/watch?v=${video}`
  return postOf({
    source_id: idOf(video, id),
    channel: 'youtube',
    url: `${address}&lc=${id}`,
    parent_url: address,
    body: plainText(textOriginal ?? textDisplay),
    posted_at: publishedAt,
    ...(updatedAt === publishedAt ? {} : { edited_at: updatedAt }),
    author: {
      handle: plainText(snippet.authorDisplayName, 200),
      url: snippet.authorChannelUrl,
      avatar_url: snippet.authorProfileImageUrl,
    },
  })
}

/** Reads stored comments again. Other ids are ignored. */
export async function recheckComments(
  ctx: SourceContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Recheck[]> {
  const asked = ids.flatMap((source_id) => {
    const [, video = '', id = ''] = /^([\w-]{1,20})\/([\w-]{1,60})$/.exec(source_id) ?? []
    return id === '' ? [] : [{ source_id, video, id }]
  })
  if (asked.length === 0) return []
  const batch = asked.slice(0, idsMax)
  const query = { part: 'snippet', id: batch.map(({ id }) => id).join(','), textFormat: 'plainText' }
  const { items } = await askYouTube(ctx, 'comments', comments, signal, query)
  const { rows, unread } = readRows(what, items, comment, 'id')
  if (unread.length > 0) throw unreadable(what, 'a comment has an unknown form')
  const known = new Map(rows.map((row) => [row.id, row]))
  return batch.map(({ source_id, video, id }) => {
    const found = known.get(id)
    if (found === undefined) return { source_id, state: 'missing' as const }
    return { source_id, state: 'found' as const, post: postOfComment(video, found) }
  })
}
