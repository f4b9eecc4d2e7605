import type { MentionStandIn, StandInPost } from './sources'

const error = (status: number, code: string) => ({
  type: 'ErrorResponse',
  time: 1,
  error: { id: 'x', status, code, detail: `Refused: ${code}` },
})

/** Brave's web search: pages of 20, at most ten. */
export function createBrave({ key }: { readonly key: string }): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const standIn: MentionStandIn = {
    errors: {
      'a wrong key': { status: 422, kind: 'auth', body: error(422, 'SUBSCRIPTION_TOKEN_INVALID') },
      'a limit': { status: 429, kind: 'rate', body: error(429, 'RATE_LIMITED') },
      'a used up plan': { status: 429, kind: 'quota', body: error(429, 'QUOTA_LIMITED') },
    },
    complaints: [],
    idOf: ({ id }) => `https://web.example/pages/${id}`,
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      const { searchParams } = new URL(request.url)
      if (request.headers.get('x-subscription-token') !== key) standIn.complaints.push('key')
      const [from = '', to = ''] = searchParams.get('freshness')?.split('to') ?? []
      const offset = Number(searchParams.get('offset'))
      if (offset > 9) standIn.complaints.push('offset')
      const dayOf = ({ at }: StandInPost) => at.toISOString().slice(0, 10)
      const found = held.posts.filter((post) => dayOf(post) >= from && dayOf(post) <= to)
      const results = found.slice(offset * 20, offset * 20 + 20).map(({ id, text, title, at }) => ({
        title: title ?? 'A page',
        url: standIn.idOf({ id }),
        description: text,
        language: 'en',
        page_age: at.toISOString().slice(0, 19),
        age: '2 days ago',
        profile: { name: 'Web' },
      }))
      const more_results_available = found.length > offset * 20 + 20
      return Response.json({
        type: 'search',
        query: { original: searchParams.get('q'), more_results_available },
        ...(results.length > 0 ? { web: { type: 'search', results } } : {}),
      })
    },
  }
  return standIn
}
