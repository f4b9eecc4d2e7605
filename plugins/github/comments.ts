import { minuteMs } from 'renown'
import { type FoundPost, instantForm, postOf, readRows, type UnreadPost } from 'renown/leads'
import * as v from 'valibot'

/** The requested thing, as it appears in errors. */
export const what = 'The answer of GitHub'
/** GitHub finds a post some minutes after it was written. So each reading repeats this time. */
export const repeatedMs = 10 * minuteMs

/** The fields of an issue, a discussion or a comment. */
export const postFields = {
  id: v.pipe(v.string(), v.minLength(1)),
  url: v.string(),
  bodyText: v.string(),
  createdAt: instantForm,
  lastEditedAt: v.nullish(instantForm),
  author: v.nullish(v.object({ login: v.string(), url: v.string(), avatarUrl: v.string() })),
}
const comment = v.object(postFields)
type Comment = v.InferOutput<typeof comment>

/** Returns an issue, a discussion or a comment as a post. */
export const postOfFields = (
  { id, url, bodyText, createdAt, lastEditedAt, author }: Comment,
  parent_url?: string,
): FoundPost =>
  postOf({
    source_id: id,
    channel: 'forum',
    url,
    body: bodyText,
    posted_at: createdAt,
    parent_url,
    edited_at: lastEditedAt,
    author: { handle: author?.login, url: author?.url, avatar_url: author?.avatarUrl },
  })

const list = v.object({ pageInfo: v.object({ hasPreviousPage: v.boolean() }), nodes: v.array(v.unknown()) })
const thread = v.object({ id: postFields.id, url: v.string(), updatedAt: instantForm, comments: list })
const withReplies = v.object({ replies: v.optional(list) })

/** Where the search for threads with comments continues. Comments before `from` were found by an earlier search. */
export const threadPosition = v.object({ at: instantForm, from: instantForm })
/** Where the search for threads with comments continues. */
export type ThreadPosition = v.InferOutput<typeof threadPosition>

interface ReadThreads {
  readonly posts: readonly FoundPost[]
  readonly unread: readonly UnreadPost[]
  readonly next: ThreadPosition
  readonly isMore: boolean
}

/**
 * Reads the comments of found issues or discussions. GitHub finds the thread and not the comment, so all comments since the last
 * search are returned. The trackers test each of them.
 */
export function readThreads(
  given: readonly unknown[],
  { at, from }: ThreadPosition,
  { now, pageMax }: { readonly now: Date; readonly pageMax: number },
): ReadThreads {
  const threads = readRows(what, given, thread, 'id')
  const posts: FoundPost[] = []
  const unread: UnreadPost[] = [...threads.unread]
  const add = (url: string, { nodes, pageInfo }: v.InferOutput<typeof list>) => {
    const read = readRows(what, nodes, comment, 'id')
    unread.push(...read.unread)
    posts.push(...read.rows.filter(({ createdAt }) => createdAt >= from).map((row) => postOfFields(row, url)))
    const oldest = read.rows[0]
    if (pageInfo.hasPreviousPage && (oldest === undefined || oldest.createdAt >= from))
      unread.push({ reason: `comments of ${url} before ${oldest?.createdAt ?? 'the last ones'}` })
    const below = readRows(what, nodes, withReplies, 'id')
    unread.push(...below.unread)
    for (const { replies } of below.rows) if (replies) add(url, replies)
  }
  for (const { url, comments } of threads.rows) add(url, comments)
  const times = threads.rows.map(({ updatedAt }) => Date.parse(updatedAt))
  const newest = Math.min(Math.max(Date.parse(at), ...times), now.getTime())
  const isMore = given.length >= pageMax && newest > Date.parse(at)
  if (isMore) return { posts, unread, isMore, next: { at: new Date(newest).toISOString(), from } }
  const again = new Date(Math.max(Date.parse(at), newest - repeatedMs)).toISOString()
  return { posts, unread, isMore, next: { at: again, from: again } }
}
