import type { MentionStandIn, StandInPost } from './sources'

const hitsMax = 1_000
const secondsOf = (at: Date) => Math.floor(at.getTime() / 1_000)

/** Algolia's search of Hacker News: newest first, at most 1,000 hits for a query. */
export function createHackerNews(): MentionStandIn {
  const held = { posts: [] as readonly StandInPost[] }
  const standIn: MentionStandIn = {
    errors: {
      'an unknown index': {
        status: 404,
        kind: 'permanent',
        body: { message: 'Index Item_dev does not exist', status: 404 },
      },
      'a limit': { status: 429, kind: 'rate', body: { message: 'Too many requests', status: 429 } },
    },
    complaints: [],
    idOf: ({ id }) => String(id),
    set(posts) {
      held.posts = posts
    },
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const [, asked] = /^\/v0\/item\/(\d+)\.json$/.exec(pathname) ?? []
      if (asked !== undefined) {
        const found = held.posts.find(({ id }) => String(id) === asked)
        return Response.json(found ? itemOf(found) : { id: Number(asked), deleted: true, type: 'comment' })
      }
      if (pathname !== '/api/v1/search_by_date') standIn.complaints.push(pathname)
      if (!/^".+"$/.test(searchParams.get('query') ?? '')) standIn.complaints.push('query is not a phrase')
      const filters = (searchParams.get('numericFilters') ?? '').split(',')
      const found = held.posts
        .filter(({ at }) => filters.every((filter) => passes(filter, secondsOf(at))))
        .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      const hitsPerPage = Math.min(Number(searchParams.get('hitsPerPage')), hitsMax)
      const hits = found.slice(0, hitsPerPage).map(hitOf)
      const nbPages = Math.ceil(Math.min(found.length, hitsMax) / hitsPerPage)
      return Response.json({ hits, nbHits: found.length, page: 0, nbPages, hitsPerPage })
    },
  }
  return standIn
}

function passes(filter: string, at: number): boolean {
  const [, operator, value] = /^created_at_i(>|<=)(\d+)$/.exec(filter) ?? []
  if (operator === undefined) throw new Error(`unknown filter ${filter}`)
  return operator === '>' ? at > Number(value) : at <= Number(value)
}

/** An item in the API of Hacker News itself. */
const itemOf = ({ id, text, title, author, at }: StandInPost) => ({
  id,
  by: author,
  time: secondsOf(at),
  text,
  ...(title === undefined ? { type: 'comment', parent: 1 } : { type: 'story', title, score: 1 }),
})

const hitOf = ({ id, text, title, author, at }: StandInPost) => ({
  objectID: String(id),
  created_at: at.toISOString(),
  created_at_i: secondsOf(at),
  author,
  title: title ?? null,
  url: null,
  story_text: title === undefined ? null : text,
  points: null,
  comment_text: title === undefined ? text : null,
  story_id: title === undefined ? 1 : id,
  parent_id: 1,
  _tags: [title === undefined ? 'comment' : 'story', `author_${author}`],
})
