import type { MentionStandIn, StandInPost } from './sources'

/** GitHub's GraphQL search, in order of time. Even posts are issues, and odd ones discussions. */
export function createGitHub({ token }: { readonly token: string }): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const standIn: MentionStandIn = {
    errors: {
      'a used up limit': {
        ...{ status: 200, kind: 'rate', code: 'RATE_LIMITED' },
        body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
      },
      'a second limit': {
        ...{ status: 403, kind: 'rate', waitMs: 60_000, headers: { 'retry-after': '60' } },
        body: {
          message: 'You have exceeded a secondary rate limit.',
          documentation_url: 'https://docs.github.com',
        },
      },
      'a wrong token': {
        ...{
          status: 401,
          kind: 'auth',
          body: { message: 'Bad credentials', documentation_url: 'x', status: '401' },
        },
      },
    },
    complaints: [],
    idOf: ({ id }) => `I_${id}`,
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${token}`) standIn.complaints.push('authorization')
      const { variables } = (await request.json()) as { variables: Record<string, string> }
      const found = (query = '', rest = 0) => {
        const [, from] = / created:>=(\S+) sort:created-asc$/.exec(query) ?? []
        if (from === undefined) standIn.complaints.push(query)
        const after = held.posts.filter(({ id, at }) => id % 2 === rest && at >= new Date(from ?? 0))
        return {
          nodes: after
            .toSorted((a, b) => a.at.getTime() - b.at.getTime())
            .slice(0, 100)
            .map(nodeOf),
        }
      }
      return Response.json({
        data: { issues: found(variables.issues, 0), discussions: found(variables.discussions, 1) },
      })
    },
  }
  return standIn
}

const nodeOf = ({ id, text, title, author, at }: StandInPost) => ({
  ...{
    id: `I_${id}`,
    url: `https://github.com/acme/pipes/issues/${id}`,
    title: title ?? 'An issue',
    bodyText: text,
  },
  ...{ createdAt: at.toISOString(), lastEditedAt: null },
  author: { login: author, url: `https://github.com/${author}`, avatarUrl: 'https://a.example/a.png' },
})
