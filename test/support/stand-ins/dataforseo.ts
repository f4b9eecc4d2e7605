import type { PlatformReview } from './google'

export interface DataforseoStandIn {
  readonly reviews: Map<string, PlatformReview>
  /** Looks at an order that say that it is still in the queue. */
  waits: number
  /** Codes of the next answers: of the whole answer, or of its task. */
  readonly faults: ({ readonly top: number } | { readonly task: number } | null)[]
  /** What was ordered and is to be paid. */
  readonly orders: Record<string, unknown>[]
  /** What the business is called that the search finds. */
  title: string
  readonly complaints: string[]
  fetch(request: Request): Promise<Response>
}

const base = '/v3/business_data/google/reviews'
export const dataforseoLogin = { login: 'me@example.com', password: 'dfs-password' }

/** DataForSEO's two steps on the wire: an order, and its result when it is ready. */
export function createDataforseo(reviews: Map<string, PlatformReview>): DataforseoStandIn {
  const standIn: DataforseoStandIn = {
    reviews,
    waits: 0,
    faults: [],
    orders: [],
    title: 'Acme',
    complaints: [],
    async fetch(request) {
      const { login, password } = dataforseoLogin
      if (request.headers.get('authorization') !== `Basic ${btoa(`${login}:${password}`)}`) {
        return Response.json(
          { status_code: 40_100, status_message: 'You are not Authorized.' },
          { status: 401 },
        )
      }
      const fault = standIn.faults.shift() ?? null
      if (fault && 'top' in fault) return Response.json({ status_code: fault.top, status_message: 'top' })
      if (fault) return taskOf({ status_code: fault.task, status_message: 'task', result: null })
      const { pathname } = new URL(request.url)
      if (pathname === `${base}/task_post`) return order(standIn, (await request.json()) as unknown[])
      return result(standIn, pathname.slice(`${base}/task_get/`.length))
    },
  }
  return standIn
}

function order(standIn: DataforseoStandIn, body: unknown[]): Response {
  const [first] = body as Record<string, unknown>[]
  if (!first || body.length !== 1 || !('location_code' in first))
    standIn.complaints.push(JSON.stringify(body))
  standIn.orders.push(first ?? {})
  return taskOf({ id: `0112-${standIn.orders.length}`, status_code: 20_100, status_message: 'Task Created.' })
}

function result(standIn: DataforseoStandIn, id: string): Response {
  const number = Number(id.replace('0112-', ''))
  if (!(number >= 1 && number <= standIn.orders.length)) {
    return taskOf({ id, status_code: 40_401, status_message: 'Task Not Found.' })
  }
  if (standIn.waits-- > 0) return taskOf({ id, status_code: 40_602, status_message: 'Task In Queue.' })
  const items = [...standIn.reviews.values()].slice(0, Number(standIn.orders[number - 1]?.depth)).map(wire)
  const found = {
    title: standIn.title,
    rating: { rating_type: 'Max5', value: 4.6, rating_max: 5 },
    reviews_count: 412,
  }
  return taskOf({ id, status_code: 20_000, result: [{ ...found, items_count: items.length, items }] })
}

const taskOf = (task: object) =>
  Response.json({
    version: '0.1',
    status_code: 20_000,
    status_message: 'Ok.',
    cost: 0.0075,
    tasks_count: 1,
    tasks: [{ result: null, ...task }],
  })

const wire = ({ id, stars, text, author, created, reply }: PlatformReview) => ({
  type: 'google_reviews_search',
  review_id: `ChZD${id}`,
  rating: { rating_type: 'Max5', value: stars },
  review_text: text === '' ? null : text,
  original_review_text: null,
  original_language: 'en',
  timestamp: stamp(created),
  profile_name: author,
  local_guide: true,
  images: null,
  owner_answer: reply?.text ?? null,
  owner_timestamp: reply ? stamp(reply.at) : null,
})

const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} +00:00`
