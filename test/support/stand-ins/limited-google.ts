import type { VirtualTime } from '../virtual-time'

const minuteMs = 60_000
/** So many reviews are of today and have words. The others are ratings of days ago. */
const newest = 3
const words = 'The staff were very friendly and the bread is the best that we have had.'
const base = '/v4/accounts/111/locations/'

/** What a stand-in of Google was asked for. */
export interface LimitedCall {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
}

/**
 * Google's reviews of several large profiles, with a limit of calls in any minute. Review `n` of a location is the n-th newest. The
 * limit answers 429, and says in `Retry-After` when the next call is due.
 */
export function createLimitedGoogle({
  time,
  perMinute,
  reviews,
  faults = [],
}: {
  readonly time: VirtualTime
  readonly perMinute: number
  /** How many reviews each location has, by its id. */
  readonly reviews: Readonly<Record<string, number>>
  /** Statuses of the next answers within the limit, in order. */
  readonly faults?: number[]
}) {
  const calls: LimitedCall[] = []
  const replies = new Map<string, number>()
  const window: number[] = []
  const began = time.now().getTime()
  const reviewOf = (location: string, n: number) => {
    const written = new Date(began - (n < newest ? n : n + 2_000) * minuteMs).toISOString()
    const reviewId = `${location}-${n}`
    const reviewReply = replies.has(reviewId) ? { comment: 'Thank you!', updateTime: written } : undefined
    return {
      name: `accounts/111/locations/${location}/reviews/${reviewId}`,
      reviewId,
      reviewer: { displayName: `Ann ${n}` },
      starRating: 'FIVE',
      ...(n < newest ? { comment: words } : {}),
      createTime: written,
      updateTime: written,
      ...(reviewReply ? { reviewReply } : {}),
    }
  }
  const page = (location: string, query: URLSearchParams) => {
    const total = reviews[location] ?? 0
    const from = Number(query.get('pageToken')?.slice(1) ?? 0)
    const to = Math.min(total, from + Number(query.get('pageSize')))
    const shown = Array.from({ length: to - from }, (_, n) => reviewOf(location, from + n))
    const next = to < total ? { nextPageToken: `p${to}` } : {}
    return Response.json({ reviews: shown, averageRating: 5, totalReviewCount: total, ...next })
  }
  const answer = async (request: Request, { pathname, searchParams }: URL): Promise<Response> => {
    const now = time.now().getTime()
    while ((window[0] ?? now) <= now - minuteMs) window.shift()
    if (window.length >= perMinute) return limited(Math.ceil(((window[0] ?? now) + minuteMs - now) / 1_000))
    window.push(now)
    const fault = faults.shift() ?? 0
    if (fault !== 0) return problem(fault)
    const [location = '', , id = '', reply] = pathname.slice(base.length).split('/').map(decodeURIComponent)
    if (id === '') return page(location, searchParams)
    if (reply === undefined) return Response.json(reviewOf(location, Number(id.split('-')[1])))
    const { comment } = (await request.json()) as { comment: string }
    replies.set(id, now)
    return Response.json({ comment, updateTime: new Date(now).toISOString(), reviewReplyState: 'APPROVED' })
  }
  return {
    calls,
    replies,
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url)
      const answered = await answer(request, url)
      const { method } = request
      calls.push({
        at: time.elapsed(),
        method,
        path: url.pathname.slice(base.length),
        status: answered.status,
      })
      return answered
    },
  }
}

const problem = (code: number, headers: Record<string, string> = {}) => {
  const status = code === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE'
  return Response.json(
    { error: { code, message: `The stand-in says ${code}`, status } },
    { status: code, headers },
  )
}
const limited = (seconds: number) => problem(429, { 'retry-after': String(seconds) })
