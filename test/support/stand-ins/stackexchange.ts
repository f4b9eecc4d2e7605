import type { MentionStandIn, StandInPost } from './sources'

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1_000)
const refusal = (error_id: number, error_name: string, error_message: string) => ({
  error_id,
  error_name,
  error_message,
})

/** A site of Stack Exchange: excerpts in order of time, and posts by id. `pause` adds `backoff` to the next answer. */
export function createStackExchange(): MentionStandIn & { pause(seconds: number): void } {
  const held = { posts: [] as readonly StandInPost[], backoff: 0 }
  const wrapped = (items: readonly object[], has_more = false) => {
    const { backoff } = held
    held.backoff = 0
    return Response.json({
      items,
      has_more,
      quota_max: 300,
      quota_remaining: 200,
      ...(backoff > 0 ? { backoff } : {}),
    })
  }
  const standIn = {
    errors: {
      'a violated throttle': {
        status: 400,
        kind: 'rate' as const,
        code: 'throttle_violation',
        body: refusal(
          502,
          'throttle_violation',
          'too many requests from this IP, more requests available in 60 seconds',
        ),
      },
      'a bad parameter': {
        status: 400,
        kind: 'permanent' as const,
        body: refusal(400, 'bad_parameter', 'site is required'),
      },
    },
    complaints: [] as string[],
    idOf: ({ id }: Pick<StandInPost, 'id'>) => `stackoverflow-${id}`,
    set(posts: readonly StandInPost[]) {
      held.posts = posts
    },
    pause(seconds: number) {
      held.backoff = seconds
    },
    async fetch(request: Request) {
      const { pathname, searchParams } = new URL(request.url)
      if (searchParams.get('site') !== 'stackoverflow') standIn.complaints.push('site')
      const [, ids] = /^\/2\.3\/posts\/([\d;]+)$/.exec(pathname) ?? []
      if (ids !== undefined) {
        const asked = new Set(ids.split(';').map(Number))
        if (asked.size > 100) standIn.complaints.push('ids')
        return wrapped(held.posts.filter(({ id }) => asked.has(id)).map(postOf))
      }
      if (pathname !== '/2.3/search/excerpts') standIn.complaints.push(pathname)
      const from = Number(searchParams.get('fromdate'))
      const found = held.posts
        .filter(({ at }) => secondsOf(at) >= from)
        .toSorted((a, b) => a.at.getTime() - b.at.getTime())
      return wrapped(found.slice(0, 100).map(excerptOf), found.length > 100)
    },
  }
  return standIn
}

const excerptOf = ({ id, text, title, at }: StandInPost) => ({
  item_type: 'question',
  question_id: id,
  title: title ?? 'A question',
  body: text,
  excerpt: text,
  creation_date: secondsOf(at),
  question_score: 1,
  tags: ['plumbing'],
})

const postOf = ({ id, text, author, at }: StandInPost) => ({
  post_id: id,
  post_type: 'question',
  body: `<p>${text}</p>`,
  creation_date: secondsOf(at),
  score: 1,
  link: `https://stackoverflow.com/q/${id}`,
  owner: {
    display_name: author,
    link: `https://stackoverflow.com/users/7/${author}`,
    user_type: 'registered',
    profile_image: 'https://i.example/a.png',
  },
})
