import type { MentionStandIn, StandInPost } from './sources'

const refusal = (error: string, message: string, status: number) =>
  Response.json({ error, message }, { status })

/** The server of a Bluesky account. `expire` ends the sessions. */
export function createBluesky({ password }: { readonly password: string }) {
  const held = { posts: [] as readonly StandInPost[], sessions: 0 }
  const uriOf = ({ id }: Pick<StandInPost, 'id'>) => `at://did:plc:jo/app.bsky.feed.post/3k${id}`
  const standIn = {
    errors: {
      'a limit': {
        status: 429,
        kind: 'rate',
        code: 'RateLimitExceeded',
        waitMs: 30_000,
        body: { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' },
        headers: { 'ratelimit-limit': '3000', 'retry-after': '30' },
      },
      'a bad request': {
        status: 400,
        kind: 'permanent',
        body: { error: 'InvalidRequest', message: 'Error: q is required' },
      },
    } as MentionStandIn['errors'],
    complaints: [] as string[],
    sessions: () => held.sessions,
    expire() {
      held.sessions++
    },
    idOf: uriOf,
    set(posts: readonly StandInPost[]) {
      held.posts = posts
    },
    async fetch(request: Request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/xrpc/com.atproto.server.createSession') {
        const given = (await request.json()) as { readonly password: string }
        if (given.password !== password)
          return refusal('AuthenticationRequired', 'Invalid identifier or password', 401)
        return Response.json({
          accessJwt: `jwt${++held.sessions}`,
          refreshJwt: 'r',
          did: 'did:plc:a',
          handle: 'a.example',
        })
      }
      if (request.headers.get('authorization') !== `Bearer jwt${held.sessions}`)
        return refusal('ExpiredToken', 'Token has expired', 400)
      if (pathname === '/xrpc/app.bsky.feed.getPosts') {
        const asked = new Set(searchParams.getAll('uris'))
        if (asked.size > 25) standIn.complaints.push('uris')
        return Response.json({ posts: held.posts.filter((post) => asked.has(uriOf(post))).map(viewOf) })
      }
      if (searchParams.get('sort') !== 'latest') standIn.complaints.push('sort')
      const since = new Date(searchParams.get('since') ?? 0)
      const found = held.posts
        .filter(({ at }) => at >= since)
        .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      const start = Number(searchParams.get('cursor') ?? 0)
      const next = start + 100 < found.length ? { cursor: String(start + 100) } : {}
      return Response.json({
        posts: found.slice(start, start + 100).map(viewOf),
        hitsTotal: found.length,
        ...next,
      })
    },
  }
  return standIn

  function viewOf(post: StandInPost) {
    const { text, author, at } = post
    return {
      uri: uriOf(post),
      cid: 'bafy',
      indexedAt: at.toISOString(),
      replyCount: 0,
      likeCount: 0,
      labels: [],
      author: { did: 'did:plc:jo', handle: `${author}.bsky.social`, displayName: author, labels: [] },
      record: { $type: 'app.bsky.feed.post', text, createdAt: at.toISOString(), langs: ['en'] },
    }
  }
}
