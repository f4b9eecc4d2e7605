import type { MentionStandIn, StandInPost } from './sources'

const error = (text: string, status: number) => Response.json({ error: text }, { status })

/** A status in Mastodon's form. */
export const statusOf = ({ id, text, author, at }: StandInPost) => ({
  id: idOf({ id }),
  created_at: at.toISOString(),
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  sensitive: false,
  spoiler_text: '',
  visibility: 'public',
  language: 'en',
  edited_at: null,
  uri: `https://m.example/users/${author}/statuses/${id}`,
  url: `https://m.example/@${author}/${id}`,
  replies_count: 0,
  reblogs_count: 0,
  favourites_count: 0,
  content: `<p>${text}</p>`,
  reblog: null,
  account: {
    id: '7',
    username: author,
    acct: `${author}@m.example`,
    display_name: author,
    locked: false,
    bot: false,
    discoverable: true,
    indexable: true,
    noindex: false,
    url: `https://m.example/@${author}`,
    avatar: 'https://m.example/a.png',
    followers_count: 12,
  },
  media_attachments: [],
  mentions: [],
  tags: [{ name: 'acme', url: 'https://m.example/tags/acme' }],
})

const idOf = ({ id }: Pick<StandInPost, 'id'>) => String(113_000_000_000_000_000n + BigInt(id))

/** A Mastodon server. */
export function createMastodon({ token = '' } = {}): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const standIn: MentionStandIn = {
    errors: {
      'a closed server': {
        status: 401,
        kind: 'auth',
        body: { error: 'The access token is invalid' },
      },
      'a server that requires a login': {
        status: 422,
        kind: 'auth',
        body: { error: 'This method requires an authenticated user' },
      },
      'a used up limit': {
        status: 429,
        kind: 'rate',
        body: { error: 'Too many requests' },
        waitMs: 120_000,
        headers: { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '120' },
      },
    },
    complaints: [],
    idOf,
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const sent = request.headers.get('authorization')
      if ((sent ?? '') !== (token === '' ? '' : `Bearer ${token}`)) standIn.complaints.push('authorization')
      const all = held.posts.map(statusOf).toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
      const single = /^\/api\/v1\/statuses\/(\w+)$/.exec(pathname)
      if (single) {
        const found = all.find(({ id }) => id === single[1])
        return found ? Response.json(found) : error('Record not found', 404)
      }
      if (!pathname.startsWith('/api/v1/timelines/tag/')) return error('Not Found', 404)
      const limit = Math.min(Number(searchParams.get('limit') ?? 20), 40)
      const after = searchParams.get('min_id')
      const below = searchParams.get('max_id')
      const older = below === null ? all : all.filter(({ id }) => BigInt(id) < BigInt(below))
      if (after === null) return Response.json(older.slice(0, limit))
      // `min_id` returns the posts right after it, still newest first.
      return Response.json(all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(-limit))
    },
  }
  return standIn
}
