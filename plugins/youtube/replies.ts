import { isServiceFault, type OwnerContext, ServiceFault, type SystemReads } from 'renown'
import {
  type AnsweredPost,
  editLocation,
  type OpenThread,
  type OwnReply,
  openConnections,
  plainText,
  type ReplyChannel,
  type ReplyLocation,
  type SourceAsk,
  withToken,
} from 'renown/leads'
import * as v from 'valibot'
import { askAsChannel } from './account'

const pageMax = 100
/** Pages of comments that a look reads. */
const pagesMax = 3

/** The state of a comment that a list shows. */
const inList = 'listed'

const words = v.pipe(v.string(), v.minLength(1))
const comment = v.object({
  id: words,
  snippet: v.object({
    authorChannelId: v.nullish(v.object({ value: v.string() })),
    publishedAt: words,
    textOriginal: v.nullish(v.string()),
    textDisplay: v.nullish(v.string(), ''),
  }),
})
const thread = v.object({ id: words, snippet: v.object({ topLevelComment: comment }) })
const page = <S extends v.GenericSchema>(item: S) =>
  v.object({ items: v.array(item), nextPageToken: v.nullish(v.string()) })
const existing = v.object({ items: v.array(v.object({ id: words })), pageInfo: v.object({}) })

/** Answers videos and comments of YouTube as the channel of the location. */
export const youTubeReplies: ReplyChannel = {
  name: 'youtube',
  channel: 'youtube',
  label: 'YouTube',
  textMax: 10_000,
  countedIn: 'characters',
  proof: {
    states: { [inList]: 'visible' },
    source: 'YouTube Data API: lists have only published comments, none that are held for review',
  },
  async accountOf(ctx, location) {
    const id = location.youtube_channel_id
    if (id === undefined) {
      return {
        why: 'The location has no YouTube channel. Enter the id of its channel at the location.',
        fix: editLocation(location.id),
      }
    }
    const connection = await connectionOf(ctx, location)
    if (connection) return { id, name: connection.account_name ?? id }
    return {
      why: `The channel ${id} is not connected. Connect it under Settings, Connections.`,
      fix: openConnections,
    }
  },
  refusal: (post) =>
    placeOf(post) === null ? 'Renown answers videos and comments on videos, and no other replies.' : null,
  async open(ctx, location, post) {
    const place = placeOf(post)
    const connection = await connectionOf(ctx, location)
    if (!place || !connection) throw new ServiceFault('auth', 'The channel of the location is not connected.')
    return openThread(asker(ctx, connection.id), place, connection.account_id)
  },
}

/** A video, or a comment that is no reply itself. */
interface Place {
  readonly video: string
  readonly comment?: string
}

/** Returns the place of a post by its address. Null for other pages, and for replies below a comment. */
function placeOf({ url }: Pick<AnsweredPost, 'url'>): Place | null {
  const { hostname = '', pathname = '', searchParams } = URL.parse(url) ?? {}
  const isShort = hostname === 'youtu.be'
  if (!isShort && !/^(?:(?:www|m)\.)?youtube\.com$/.test(hostname)) return null
  const video = isShort ? pathname.slice(1) : (searchParams?.get('v') ?? '')
  const id = searchParams?.get('lc') ?? undefined
  if (!/^[\w-]{1,20}$/.test(video)) return null
  if (id === undefined) return { video }
  return /^[\w-]{1,60}$/.test(id) ? { video, comment: id } : null
}

async function connectionOf(
  ctx: Pick<SystemReads, 'outbound'>,
  { workspace_id, youtube_channel_id }: ReplyLocation,
) {
  const known = await ctx.outbound.connections.list({ workspace_id, provider: 'youtube' })
  return known.find(({ account_id }) => account_id === youtube_channel_id) ?? null
}

/** Returns the function that calls YouTube as the channel. */
const asker =
  (ctx: OwnerContext, connection: string) =>
  <S extends v.GenericSchema>(path: string, asked: Omit<SourceAsk<S>, 'url'>): Promise<v.InferOutput<S>> =>
    withToken(ctx, connection, (token) => askAsChannel(ctx, token, path, { isUrgent: true, ...asked }))
type Ask = ReturnType<typeof asker>

function openThread(ask: Ask, { video, comment: parent }: Place, channel: string): OpenThread {
  const exists = async () => {
    const [path, id] = parent === undefined ? ['videos', video] : ['comments', parent]
    const { items } = await ask(path, { query: { part: 'id', id }, answer: existing })
    return items.length > 0
  }
  const ownOf = ({ id, snippet }: v.InferOutput<typeof comment>): OwnReply[] =>
    snippet.authorChannelId?.value === channel
      ? [
          {
            external_id: id,
            text: snippet.textOriginal ?? plainText(snippet.textDisplay),
            created_at: snippet.publishedAt,
            state: inList,
            url: addressOf(video, id),
          },
        ]
      : []
  return {
    async look(since) {
      if (!(await exists())) return { isGone: true }
      const found = await readComments(ask, { video, comment: parent }, since).catch(closedOrThrow)
      return found === null
        ? { isGone: true }
        : { isGone: false, own: found.comments.flatMap(ownOf), isPart: found.isPart }
    },
    async send({ text: textOriginal }) {
      const query = { part: 'snippet' }
      if (parent !== undefined) {
        const json = { snippet: { parentId: parent, textOriginal } }
        const { id } = await ask('comments', { query, json, answer: comment })
        return { external_id: id, evidence: '200', url: addressOf(video, id) }
      }
      const json = { snippet: { videoId: video, topLevelComment: { snippet: { textOriginal } } } }
      const made = await ask('commentThreads', { query, json, answer: thread })
      const { id } = made.snippet.topLevelComment
      return { external_id: id, evidence: '200', url: addressOf(video, id) }
    },
  }
}

const addressOf = (video: string, id: string) =>
  `https://www.youtube.com/watch?v=${video}&lc=${encodeURIComponent(id)}`

/** Reads the comments of a video since an instant, newest first, or the replies to a comment. */
async function readComments(ask: Ask, { video, comment: parent }: Place, since: Date) {
  const comments: v.InferOutput<typeof comment>[] = []
  const query = { part: 'snippet', maxResults: pageMax, textFormat: 'plainText' }
  let token: string | null | undefined
  for (let pages = 0; pages < pagesMax; pages++) {
    const more = { ...query, ...(token ? { pageToken: token } : {}) }
    const found =
      parent === undefined
        ? await ask('commentThreads', {
            query: { ...more, videoId: video, order: 'time' },
            answer: page(thread),
          })
        : await ask('comments', { query: { ...more, parentId: parent }, answer: page(comment) })
    const items = found.items.map((one) =>
      'topLevelComment' in one.snippet ? one.snippet.topLevelComment : one,
    )
    comments.push(...(items as v.InferOutput<typeof comment>[]))
    token = found.nextPageToken
    const last = comments.at(-1)
    const reachesBack =
      parent === undefined && last !== undefined && new Date(last.snippet.publishedAt) < since
    if (!token || reachesBack) return { comments, isPart: false }
  }
  return { comments, isPart: true }
}

/** Returns null if YouTube says that the post is gone or accepts no comments. */
function closedOrThrow(error: unknown): null {
  const gone = ['commentsDisabled', 'videoNotFound', 'commentNotFound', 'parentCommentNotFound']
  if (isServiceFault(error) && gone.includes(error.code ?? '')) return null
  throw error
}
