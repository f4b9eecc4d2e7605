/** A review as the platform holds it. */
export interface PlatformReview {
  readonly id: string
  stars: number
  text: string
  readonly author: string
  readonly created: number
  updated: number
  reply?: { text: string; at: number; state?: string; violation?: string }
}

/** What may go wrong with an answer. */
export type GoogleFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'empty' | 'loop' | 'overlap' | 'drift' | 'cut' }
  /** The first review of the page has no time that could be read. */
  | { readonly kind: 'broken' }

export interface GoogleStandIn {
  readonly reviews: Map<string, PlatformReview>
  /** Reviews that it acts as if it did not have, in lists, counts and by themselves. */
  readonly hidden: Set<string>
  /** Faults of the next requests for reviews, in order; null answers as it should. */
  readonly faults: (GoogleFault | null)[]
  /** Offsets of the pages that were asked for, in order. */
  readonly pages: number[]
  /** Called between two pages. */
  between: () => void
  /** Every reply that was taken, in order. */
  readonly replies: { readonly review: string; readonly text: string }[]
  /** A reply to a review that has one is an edit. Without this it is complained about. */
  mayEdit: boolean
  /** Every reply that was deleted, in order. */
  readonly deleted: string[]
  /** Changes the text of each reply before it is stored, answered and shown. */
  rewrite: (text: string) => string
  /** State of the next replies in answers and reviews. */
  replyState: 'APPROVED' | 'PENDING'
  /** Makes the next replies be rejected, or their answers be lost. */
  readonly replyFaults: ('rejected' | 'lost' | 'refused' | null)[]
  /** Makes the next looks at one review and the next replies end with a status, while there are any. */
  readonly singleFaults: (Extract<GoogleFault, { kind: 'status' }> | null)[]
  /** Tokens that are good. */
  readonly tokens: Set<string>
  /** Requests that were made wrongly. */
  readonly complaints: string[]
  fetch(request: Request): Promise<Response>
}

const words = ['STAR_RATING_UNSPECIFIED', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']
const base = '/v4/accounts/111/locations/222'

/** Google's reviews, replies and token endpoint on the wire, over a platform that a test changes as it likes. */
export function createGoogle({ now }: { readonly now: () => number }): GoogleStandIn {
  const made = { tokens: 0 }
  const standIn: GoogleStandIn = {
    reviews: new Map(),
    hidden: new Set(),
    faults: [],
    pages: [],
    between: () => {},
    replies: [],
    mayEdit: false,
    deleted: [],
    rewrite: (text) => text,
    replyState: 'APPROVED',
    replyFaults: [],
    singleFaults: [],
    tokens: new Set(),
    complaints: [],
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/token') return token(standIn, made, await request.text())
      const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      if (!standIn.tokens.has(bearer)) return problem(401, 'UNAUTHENTICATED')
      if (pathname === `${base}/reviews`) return list(standIn, searchParams)
      const single = standIn.singleFaults.shift() ?? null
      if (single !== null) return problem(single.status, 'FAULT', single.retryAfter)
      const [, id = '', reply] = new RegExp(`^${base}/reviews/([^/]+)(/reply)?$`).exec(pathname) ?? []
      const review = standIn.reviews.get(decodeURIComponent(id))
      if (!review || standIn.hidden.has(review.id)) return problem(404, 'NOT_FOUND')
      if (reply === undefined) return Response.json(wire(review))
      return putReply(standIn, review, request, now())
    },
  }
  return standIn
}

async function token(standIn: GoogleStandIn, made: { tokens: number }, body: string): Promise<Response> {
  const form = new URLSearchParams(body)
  if (form.get('refresh_token') !== '1//refresh')
    return Response.json({ error: 'invalid_grant' }, { status: 400 })
  const access_token = `ya29.token-${++made.tokens}`
  standIn.tokens.add(access_token)
  return Response.json({ access_token, expires_in: 3_599, token_type: 'Bearer' })
}

async function list(standIn: GoogleStandIn, query: URLSearchParams): Promise<Response> {
  const size = Number(query.get('pageSize'))
  if (!(size >= 1 && size <= 50)) standIn.complaints.push(`pageSize ${query.get('pageSize')}`)
  if (query.get('orderBy') !== 'updateTime desc') standIn.complaints.push(`orderBy ${query.get('orderBy')}`)
  const offset = Number(query.get('pageToken')?.slice(1) ?? 0)
  const fault = standIn.faults.shift() ?? null
  standIn.pages.push(offset)
  if (offset > 0) standIn.between()
  if (fault?.kind === 'status') return problem(fault.status, 'FAULT', fault.retryAfter)
  if (fault?.kind === 'empty') return Response.json({})
  const all = [...standIn.reviews.values()]
    .filter(({ id }) => !standIn.hidden.has(id))
    .sort((a, b) => b.updated - a.updated || (a.id < b.id ? -1 : 1))
  const total = all.length + (fault?.kind === 'drift' ? 1 : 0)
  const shown = all.slice(offset, offset + size)
  const rows = shown.map(wire).map((row, n) => (fault?.kind === 'broken' && n === 0 ? broken(row) : row))
  const isLast = offset + size >= all.length || fault?.kind === 'cut'
  const next = fault?.kind === 'loop' ? offset : fault?.kind === 'overlap' ? offset + size - 3 : offset + size
  return Response.json({
    ...(shown.length === 0 ? {} : { reviews: rows }),
    ...(all.length === 0
      ? {}
      : { averageRating: all.reduce((sum, { stars }) => sum + stars, 0) / all.length }),
    totalReviewCount: total,
    ...(isLast && fault?.kind !== 'loop' ? {} : { nextPageToken: `p${next}` }),
  })
}

const broken = (row: object) => ({ ...row, createTime: 'the day before yesterday' })

async function putReply(standIn: GoogleStandIn, review: PlatformReview, request: Request, at: number) {
  if (request.method === 'DELETE') return deleteReply(standIn, review)
  if (request.method !== 'PUT') return problem(405, 'METHOD')
  const { comment = '' } = (await request.json()) as { comment?: string }
  const fault = standIn.replyFaults.shift() ?? null
  if (fault === 'refused') return problem(403, 'PERMISSION_DENIED')
  const state = fault === 'rejected' ? 'REJECTED' : standIn.replyState
  if (review.reply && (!standIn.mayEdit || review.reply.text === comment))
    standIn.complaints.push(`a second reply to ${review.id}`)
  const text = standIn.rewrite(comment)
  review.reply = { text, at, state }
  standIn.replies.push({ review: review.id, text: comment })
  if (fault === 'lost') return problem(503, 'UNAVAILABLE')
  return Response.json({
    comment: text,
    updateTime: new Date(at).toISOString(),
    reviewReplyState: state,
    ...(fault === 'rejected' ? { policyViolation: 'SPAM' } : {}),
  })
}

function deleteReply(standIn: GoogleStandIn, review: PlatformReview): Response {
  const fault = standIn.replyFaults.shift() ?? null
  if (fault === 'refused') return problem(403, 'PERMISSION_DENIED')
  if (!review.reply) return problem(404, 'NOT_FOUND')
  delete review.reply
  standIn.deleted.push(review.id)
  return fault === 'lost' ? problem(503, 'UNAVAILABLE') : Response.json({})
}

function wire({ id, stars, text, author, created, updated, reply }: PlatformReview) {
  return {
    name: `accounts/111/locations/222/reviews/${id}`,
    reviewId: id,
    reviewer: { displayName: author },
    starRating: words[stars],
    ...(text === '' ? {} : { comment: text }),
    createTime: new Date(created).toISOString().replace('.000Z', 'Z'),
    updateTime: new Date(updated).toISOString(),
    ...(reply
      ? {
          reviewReply: {
            comment: reply.text,
            updateTime: new Date(reply.at).toISOString(),
            ...(reply.state === undefined ? {} : { reviewReplyState: reply.state }),
            ...(reply.violation === undefined ? {} : { policyViolation: reply.violation }),
          },
        }
      : {}),
  }
}

const problem = (status: number, word: string, retryAfter?: string) =>
  Response.json(
    { error: { code: status, message: `The stand-in says ${word}`, status: word } },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  )
