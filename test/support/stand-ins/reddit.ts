import type { MentionStandIn, StandInPost } from './sources'

/** Reddit's API: posts newest first, 100 a page. */
export function createReddit({ secret }: { readonly secret: string }): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const nameOf = ({ id }: Pick<StandInPost, 'id'>) => `t3_${id.toString(36)}`
  const listing = (posts: readonly StandInPost[], after: string | null = null) =>
    Response.json({ kind: 'Listing', data: { after, dist: posts.length, children: posts.map(childOf) } })
  const childOf = (post: StandInPost) => ({
    kind: 't3',
    data: {
      id: post.id.toString(36),
      name: nameOf(post),
      title: post.title ?? 'A post',
      selftext: post.text,
      permalink: `/r/leeds/comments/${post.id.toString(36)}/a/`,
      subreddit: 'leeds',
      author: post.author,
      created_utc: post.at.getTime() / 1_000,
      edited: false,
      removed_by_category: null,
      score: 3,
    },
  })
  const standIn: MentionStandIn = {
    errors: {
      'a closed app': { status: 403, kind: 'permission', body: { message: 'Forbidden', error: 403 } },
      'a used up limit': {
        status: 429,
        kind: 'rate',
        waitMs: 42_000,
        body: { message: 'Too Many Requests', error: 429 },
        headers: { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-used': '100', 'x-ratelimit-reset': '42' },
      },
    },
    complaints: [],
    idOf: nameOf,
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (!/^web:renown:v1 \(by \/u\/\w+\)$/.test(request.headers.get('user-agent') ?? ''))
        standIn.complaints.push('user-agent')
      if (pathname === '/api/v1/access_token') {
        const basic = `Basic ${btoa(`renown:${secret}`)}`
        if (request.headers.get('authorization') !== basic)
          return Response.json({ message: 'Unauthorized', error: 401 }, { status: 401 })
        return Response.json({ access_token: 'tok', token_type: 'bearer', expires_in: 86_400, scope: '*' })
      }
      if (request.headers.get('authorization') !== 'Bearer tok') standIn.complaints.push('authorization')
      if (pathname === '/api/info') {
        const asked = new Set(searchParams.get('id')?.split(','))
        return listing(held.posts.filter((post) => asked.has(nameOf(post))))
      }
      const found = held.posts.toSorted((a, b) => b.at.getTime() - a.at.getTime())
      const start = found.findIndex((post) => nameOf(post) === searchParams.get('after')) + 1
      const page = found.slice(start, start + 100)
      const last = page.at(-1)
      return listing(page, last && start + 100 < found.length ? nameOf(last) : null)
    },
  }
  return standIn
}
