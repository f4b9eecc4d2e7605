import type { MentionStandIn, StandInPost } from './sources'

const error = (code: number, reason: string, message: string) => ({
  error: { code, message, errors: [{ message, domain: 'youtube.quota', reason }], status: 'X' },
})

/**
 * YouTube's Data API: searches of 50 results a page, newest first, comments of a video, and both by id. Every third post is a video, and the
 * others are comments on the first video.
 */
export function createYouTube({ key }: { readonly key: string }): MentionStandIn {
  const hub = 'v1'
  const isComment = ({ id }: Pick<StandInPost, 'id'>) => id % 3 !== 1
  const held = { posts: [] as readonly StandInPost[] }
  const page = (items: readonly object[], total: number, nextPageToken?: string) =>
    Response.json({
      kind: 'youtube#searchListResponse',
      etag: 'x',
      regionCode: 'GB',
      items,
      pageInfo: { totalResults: total, resultsPerPage: 50 },
      ...(nextPageToken ? { nextPageToken } : {}),
    })
  const threads = (asked: URLSearchParams) => {
    if (asked.get('searchTerms') !== 'Acme' || asked.get('order') !== 'time')
      standIn.complaints.push(`commentThreads?${asked}`)
    const found = held.posts
      .filter((post) => isComment(post) && asked.get('videoId') === hub)
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    const start = Number(asked.get('pageToken')?.slice(1) ?? 0)
    const size = Math.min(Number(asked.get('maxResults')), 20)
    return Response.json({
      kind: 'youtube#commentThreadListResponse',
      etag: 'x',
      pageInfo: { totalResults: found.length, resultsPerPage: size },
      ...(start + size < found.length ? { nextPageToken: `t${start + size}` } : {}),
      items: found.slice(start, start + size).map((post) => ({
        kind: 'youtube#commentThread',
        id: `c${post.id}`,
        snippet: { videoId: hub, topLevelComment: commentOf(post), totalReplyCount: 0 },
      })),
    })
  }
  const standIn: MentionStandIn = {
    errors: {
      'a used up quota': {
        status: 403,
        kind: 'quota',
        code: 'quotaExceeded',
        body: error(
          403,
          'quotaExceeded',
          'The request cannot be completed because you have exceeded your quota.',
        ),
      },
      'a wrong key': {
        status: 400,
        kind: 'auth',
        body: error(400, 'badRequest', 'API key not valid. Please pass a valid API key.'),
      },
    },
    complaints: [],
    idOf: ({ id }) => (isComment({ id }) ? `${hub}/c${id}` : `v${id}`),
    parentOf: (id) => (id.startsWith(`${hub}/`) ? hub : undefined),
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (request.headers.get('x-goog-api-key') !== key) standIn.complaints.push('key')
      if (pathname === '/youtube/v3/videos') {
        const asked = new Set(searchParams.get('id')?.split(','))
        const found = held.posts.filter((post) => asked.has(standIn.idOf(post)))
        return page(
          found.map((post) => ({ id: standIn.idOf(post), snippet: snippetOf(post) })),
          found.length,
        )
      }
      if (pathname === '/youtube/v3/comments') {
        const asked = new Set(searchParams.get('id')?.split(','))
        const found = held.posts.filter((post) => isComment(post) && asked.has(`c${post.id}`))
        return Response.json({ kind: 'youtube#commentListResponse', etag: 'x', items: found.map(commentOf) })
      }
      if (pathname === '/youtube/v3/commentThreads') return threads(searchParams)
      if (pathname !== '/youtube/v3/search') standIn.complaints.push(pathname)
      const from = new Date(searchParams.get('publishedAfter') ?? 0)
      const found = held.posts
        .filter((post) => !isComment(post) && post.at >= from)
        .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      const start = Number(searchParams.get('pageToken')?.slice(1) ?? 0)
      const next = start + 50 < found.length ? `t${start + 50}` : undefined
      const hits = found.slice(start, start + 50).map((post) => ({
        kind: 'youtube#searchResult',
        id: { kind: 'youtube#video', videoId: standIn.idOf(post) },
        snippet: snippetOf(post),
      }))
      return page(hits, found.length, next)
    },
  }
  return standIn
}

const commentOf = ({ id, text, author, at }: StandInPost) => ({
  kind: 'youtube#comment',
  id: `c${id}`,
  snippet: {
    textOriginal: text,
    textDisplay: text,
    authorDisplayName: author,
    viewerRating: 'none',
    likeCount: 0,
    authorChannelUrl: `http://www.youtube.com/@${author}`,
    authorChannelId: { value: `UC${author}` },
    publishedAt: at.toISOString(),
    updatedAt: at.toISOString(),
  },
})

const snippetOf = ({ text, title, author, at }: StandInPost) => ({
  publishedAt: at.toISOString(),
  channelId: `UC${author}`,
  channelTitle: author,
  title: title ?? 'A video',
  description: text,
  liveBroadcastContent: 'none',
})
