import type { MentionStandIn, StandInPost } from './sources'

/**
 * GitHub's GraphQL search, in order of time. Of four posts, one each is an issue, a discussion, a comment on an issue and a reply in a
 * discussion. The issues and discussions with the comments do not contain the term themselves.
 */
export function createGitHub({ token }: { readonly token: string }): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const standIn: MentionStandIn = {
    errors: {
      'a used up limit': {
        status: 200,
        kind: 'rate',
        code: 'RATE_LIMITED',
        body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
      },
      'a second limit': {
        status: 403,
        kind: 'rate',
        waitMs: 60_000,
        headers: { 'retry-after': '60' },
        body: {
          message: 'You have exceeded a secondary rate limit.',
          documentation_url: 'https://docs.github.com',
        },
      },
      'a wrong token': {
        status: 401,
        kind: 'auth',
        body: { message: 'Bad credentials', documentation_url: 'x', status: '401' },
      },
    },
    complaints: [],
    idOf: ({ id }) => `I_${id}`,
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      if (request.headers.get('authorization') !== `Bearer ${token}`) standIn.complaints.push('authorization')
      const { variables } = (await request.json()) as {
        variables: Record<string, string> & { readonly ids?: readonly string[] }
      }
      if (variables.ids !== undefined) return nodesAnswer(held.posts, variables.ids)
      const inOrder = (rest: number) =>
        held.posts.filter(({ id }) => id % 4 === rest).toSorted((a, b) => a.at.getTime() - b.at.getTime())
      const from = (query = '', form: RegExp) => {
        const [, instant] = form.exec(query) ?? []
        if (instant === undefined) standIn.complaints.push(query)
        return new Date(instant ?? 0)
      }
      const found = (query: string | undefined, rest: number) => {
        const after = from(query, /^"Acme" is:public created:>=(\S+) sort:created-asc$/)
        return {
          nodes: inOrder(rest)
            .filter(({ at }) => at >= after)
            .slice(0, 100)
            .map(nodeOf),
        }
      }
      const commented = (query: string | undefined, rest: number, size: number) => {
        const after = from(query, /^"Acme" in:comments is:public updated:>=(\S+) sort:updated-asc$/)
        const threads = [...Map.groupBy(inOrder(rest), ({ id }) => Math.floor(id / 20))]
          .map(([n, posts]) => threadOf(`${rest}-${n}`, posts))
          .filter(({ updatedAt }) => new Date(updatedAt) >= after)
        return { nodes: threads.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt)).slice(0, size) }
      }
      const { issues, discussions, inIssues, inDiscussions } = variables
      return Response.json({
        data: {
          issues: found(issues, 0),
          discussions: found(discussions, 1),
          inIssues: commented(inIssues, 2, 100),
          inDiscussions: commented(inDiscussions, 3, 25),
        },
      })
    },
  }
  return standIn
}

/** Nodes by their ids. For a deleted one: null, and an error at its place. */
function nodesAnswer(posts: readonly StandInPost[], ids: readonly string[]) {
  const known = new Map(posts.map((post) => [`I_${post.id}`, post]))
  const nodes = ids.map((id) => {
    const post = known.get(id)
    if (post === undefined) return null
    return post.id % 4 < 2 ? nodeOf(post) : commentOf(post)
  })
  const errors = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            type: 'NOT_FOUND',
            path: ['nodes', index],
            message: `Could not resolve to a node with the global id of '${id}'.`,
          },
        ],
  )
  return Response.json({ data: { nodes }, ...(errors.length === 0 ? {} : { errors }) })
}

const nodeOf = (post: StandInPost) => ({ ...commentOf(post), title: post.title ?? 'An issue' })

const commentOf = ({ id, text, author, at }: StandInPost) => ({
  id: `I_${id}`,
  url: `https://github.com/acme/pipes/issues/${id}`,
  bodyText: text,
  createdAt: at.toISOString(),
  lastEditedAt: null,
  author: { login: author, url: `https://github.com/${author}`, avatarUrl: 'https://a.example/a.png' },
})

const listOf = (nodes: readonly object[]) => ({ pageInfo: { hasPreviousPage: false }, nodes })

/** An issue with comments, or a discussion with one comment and replies to it. */
function threadOf(key: string, posts: readonly StandInPost[]) {
  const [first, ...rest] = posts.map(commentOf)
  const isDiscussion = key.startsWith('3')
  const comments = isDiscussion
    ? listOf([{ ...first, replies: listOf(rest) }])
    : listOf([first ?? {}, ...rest])
  const updatedAt = posts.at(-1)?.at.toISOString() ?? ''
  return { id: `T_${key}`, url: `https://github.com/acme/pipes/issues/1000${key}`, updatedAt, comments }
}
