import type { MentionStandIn, StandInPost } from './sources'

const error = (code: number, reason: string, message: string) => ({
  error: { code, message, errors: [{ message, domain: 'youtube.quota', reason }], status: 'X' },
})

/** YouTube's Data API: searches of 50 results a page, newest first, and videos by id. */
export function createYouTube({ key }: { readonly key: string }): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const page = (items: readonly object[], total: number, nextPageToken?: string) =>
    Response.json({
      ...{ kind: 'youtube#searchListResponse', etag: 'x', regionCode: 'GB', items },
      ...{
        pageInfo: { totalResults: total, resultsPerPage: 50 },
        ...(nextPageToken ? { nextPageToken } : {}),
      },
    })
  const standIn: MentionStandIn = {
    errors: {
      'a used up quota': {
        ...{ status: 403, kind: 'quota', code: 'quotaExceeded' },
        body: error(
          403,
          'quotaExceeded',
          'The request cannot be completed because you have exceeded your quota.',
        ),
      },
      'a wrong key': {
        ...{ status: 400, kind: 'auth' },
        body: error(400, 'badRequest', 'API key not valid. Please pass a valid API key.'),
      },
    },
    complaints: [],
    idOf: ({ id }) => `v${id}`,
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
      const from = new Date(searchParams.get('publishedAfter') ?? 0)
      const found = held.posts
        .filter(({ at }) => at >= from)
        .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      const start = Number(searchParams.get('pageToken')?.slice(1) ?? 0)
      const next = start + 50 < found.length ? `t${start + 50}` : undefined
      const hits = found.slice(start, start + 50).map((post) => ({
        ...{ kind: 'youtube#searchResult', id: { kind: 'youtube#video', videoId: standIn.idOf(post) } },
        snippet: snippetOf(post),
      }))
      return page(hits, found.length, next)
    },
  }
  return standIn
}

const snippetOf = ({ text, title, author, at }: StandInPost) => ({
  ...{ publishedAt: at.toISOString(), channelId: `UC${author}`, channelTitle: author },
  ...{ title: title ?? 'A video', description: text, liveBroadcastContent: 'none' },
})
