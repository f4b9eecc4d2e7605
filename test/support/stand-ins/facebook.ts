import type { PlatformReview } from './google'

/** What may go wrong with an answer of the Graph API. */
export type FacebookFault =
  | {
      readonly kind: 'error'
      readonly code: number
      readonly subcode?: number
      readonly message?: string
      readonly headers?: Record<string, string>
    }
  | { readonly kind: 'html' | 'empty' | 'loop' | 'overlap' | 'slip' | 'cut' | 'storyless' }

export interface FacebookStandIn {
  /** Three stars and more are a recommendation. Ids that begin with `legacy` are ratings of old, and those with `bare` recommendations: both have no story. */
  readonly reviews: Map<string, PlatformReview>
  /** Reviews that it acts as if it did not have, in lists and by themselves. */
  readonly hidden: Set<string>
  /** Faults of the next requests for recommendations, in order; null answers as it should. */
  readonly faults: (FacebookFault | null)[]
  /** Faults of the next requests that read comments or a story. */
  readonly readFaults: (FacebookFault | null)[]
  /** Called between two pages. */
  between: () => void
  /** Every comment that the Page wrote, in order. */
  readonly replies: { readonly review: string; readonly text: string }[]
  /** Every edit of the Page's comments, in order. */
  readonly edits: { readonly review: string; readonly text: string }[]
  /** Reviews whose comment the Page deleted, in order. */
  readonly deleted: string[]
  /** Makes answers of the next comments be lost, or the comments be refused. */
  readonly replyFaults: ('lost' | FacebookFault | null)[]
  /** What the Page says of all its ratings; null where it says nothing of them, `counted` for their number. */
  figures: { overall_star_rating?: number; rating_count?: number } | 'counted' | null
  /** Faults of the next requests for those, in order. */
  readonly figureFaults: (FacebookFault | null)[]
  /** Fields that are left out of every recommendation. */
  readonly without: Set<string>
  /** Changes the text of each reply before it is stored and shown. */
  rewrite: (text: string) => string
  /** Comments of other people below each story, before the Page's own. */
  strangers: number
  /** Requests that were made wrongly. */
  readonly complaints: string[]
  fetch(request: Request): Promise<Response>
}

const page = '777'
export const pageToken = 'EAA-page-token'
export const appSecret = 'app-secret'
const version = 'v21.0'

/** Facebook's recommendations of one Page and the comments below them, on the wire. */
export function createFacebook({ now }: { readonly now: () => number }): FacebookStandIn {
  const standIn: FacebookStandIn = {
    reviews: new Map(),
    faults: [],
    readFaults: [],
    between: () => {},
    replies: [],
    replyFaults: [],
    edits: [],
    deleted: [],
    rewrite: (text) => text,
    without: new Set(),
    strangers: 0,
    complaints: [],
    figures: null,
    figureFaults: [],
    hidden: new Set<string>(),
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const refused = judge(standIn, request, searchParams)
      if (refused) return refused
      const [, called, id = '', edge] = pathname.split('/').map(decodeURIComponent)
      if (called !== version) standIn.complaints.push(`version ${called}`)
      if (id === page && edge === 'ratings') return list(standIn, searchParams)
      if (id === page && edge === undefined) {
        const fault = standIn.figureFaults.shift() ?? null
        return fault ? faulty(fault) : Response.json({ id, ...figuresOf(standIn) })
      }
      const known = (one: string) => (standIn.hidden.has(one) ? undefined : standIn.reviews.get(one))
      if (id.endsWith('_c') && edge === undefined && request.method !== 'GET')
        return change(standIn, known(id.slice(0, -2)), request)
      const review = known(id)
      if (request.method === 'POST') return write(standIn, review, request, now())
      const fault = standIn.readFaults.shift() ?? null
      if (fault) return faulty(fault)
      if (!review) return failure(100, { subcode: 33, message: `Object with ID '${id}' does not exist` })
      if (edge === undefined) return Response.json({ id })
      return Response.json(commentsOf(standIn, review, searchParams))
    },
  }
  return standIn
}

function figuresOf({ figures, reviews, hidden }: FacebookStandIn) {
  if (figures !== 'counted') return figures
  return { rating_count: [...reviews.keys()].filter((id) => !hidden.has(id)).length }
}

function judge(standIn: FacebookStandIn, request: Request, query: URLSearchParams): Response | null {
  if (request.headers.get('authorization') !== `Bearer ${pageToken}`) return failure(190, { subcode: 467 })
  const proof = new Bun.CryptoHasher('sha256', appSecret).update(pageToken).digest('hex')
  if (query.get('appsecret_proof') !== proof) standIn.complaints.push('appsecret_proof')
  if (request.url.includes(pageToken)) standIn.complaints.push('token in the address')
  return null
}

function list(standIn: FacebookStandIn, query: URLSearchParams): Response {
  const size = Number(query.get('limit'))
  if (!(size >= 1 && size <= 100)) standIn.complaints.push(`limit ${query.get('limit')}`)
  const after = query.get('after')
  const fault = standIn.faults.shift() ?? null
  if (after !== null) standIn.between()
  if (fault?.kind === 'error' || fault?.kind === 'html') return faulty(fault)
  const all = [...standIn.reviews.values()]
    .filter(({ id }) => !standIn.hidden.has(id))
    .sort((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1))
  // A cursor is a place in time: what goes or comes before it moves nothing.
  const [time = '', id = ''] = after === null ? [] : after.split('~')
  const isBehind = (one: PlatformReview) =>
    one.created < Number(time) || (one.created === Number(time) && one.id > id)
  const rest = after === null ? all : all.filter(isBehind)
  if (fault?.kind === 'empty' && rest.length > 0) {
    return Response.json({ data: [], paging: pagingOf(after ?? '99999999999999~', true) })
  }
  const shown = rest.slice(fault?.kind === 'slip' ? 1 : 0, size)
  const cursors = { plain: shown.at(-1), overlap: shown.at(-3) ?? shown.at(-1), loop: shown[0] }
  const at = fault?.kind === 'overlap' || fault?.kind === 'loop' ? cursors[fault.kind] : cursors.plain
  const isLast = (rest.length <= size && fault?.kind !== 'loop') || fault?.kind === 'cut' || !at
  return Response.json({
    data: shown.map((one) => lessOf(standIn, wire(standIn, one, fault?.kind === 'storyless'))),
    ...(shown.length === 0 ? {} : { paging: pagingOf(`${at?.created}~${at?.id}`, !isLast) }),
  })
}

const pagingOf = (after: string, more: boolean) => ({
  cursors: { before: 'b', after },
  ...(more
    ? { next: `https://graph.facebook.com/${version}/${page}/ratings?access_token=x&after=${after}` }
    : {}),
})

function commentsOf(standIn: FacebookStandIn, review: PlatformReview, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 25)
  const from = Number(query.get('after') ?? 0)
  const all = allComments(standIn, review)
  const more = from + limit < all.length
  return { data: all.slice(from, from + limit), paging: pagingOf(String(from + limit), more) }
}

function allComments({ strangers }: FacebookStandIn, { id, reply, created }: PlatformReview) {
  const others = Array.from({ length: strangers }, (_, n) => ({
    id: `${id}_s${n}`,
    from: { id: `9${n}` },
    message: 'me too',
    created_time: stamp(created),
  }))
  const own = { id: `${id}_c`, from: { id: page }, message: reply?.text, created_time: stamp(reply?.at ?? 0) }
  return reply ? [...others, own] : others
}

async function write(
  standIn: FacebookStandIn,
  review: PlatformReview | undefined,
  request: Request,
  at: number,
): Promise<Response> {
  const fault = standIn.replyFaults.shift() ?? null
  if (fault !== null && fault !== 'lost') return faulty(fault)
  if (!review) return failure(100, { subcode: 33 })
  const message = new URLSearchParams(await request.text()).get('message') ?? ''
  // Not idempotent: each one is a comment more.
  if (review.reply) standIn.complaints.push(`a second reply to ${review.id}`)
  standIn.replies.push({ review: review.id, text: message })
  review.reply = { text: standIn.rewrite(message.trim()), at }
  return fault === 'lost' ? failure(2, {}) : Response.json({ id: `${review.id}_c` })
}

/** Edits or deletes the Page's own comment. */
async function change(standIn: FacebookStandIn, review: PlatformReview | undefined, request: Request) {
  const fault = standIn.replyFaults.shift() ?? null
  if (fault !== null && fault !== 'lost') return faulty(fault)
  if (!review?.reply) return failure(100, { subcode: 33 })
  if (request.method === 'DELETE') {
    delete review.reply
    standIn.deleted.push(review.id)
  } else {
    const text = new URLSearchParams(await request.text()).get('message') ?? ''
    review.reply.text = standIn.rewrite(text.trim())
    standIn.edits.push({ review: review.id, text })
  }
  return fault === 'lost' ? failure(2, {}) : Response.json({ success: true })
}

const lessOf = ({ without }: FacebookStandIn, row: object) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !without.has(name)))

function wire(standIn: FacebookStandIn, review: PlatformReview, storyless: boolean) {
  const { id, stars, text, author, created } = review
  const said = {
    created_time: stamp(created),
    has_review: text !== '',
    ...(text === '' ? {} : { review_text: text }),
    reviewer: { id: `u-${author}`, name: author },
  }
  if (id.startsWith('legacy')) return { ...said, has_rating: true, rating: stars }
  const recommendation_type = stars >= 3 ? 'positive' : 'negative'
  const data = allComments(standIn, review).slice(0, 50)
  const story = { id, ...(data.length === 0 ? {} : { comments: { data } }) }
  return {
    ...said,
    has_rating: false,
    recommendation_type,
    ...(storyless || id.startsWith('bare') ? {} : { open_graph_story: story }),
  }
}

const stamp = (at: number) => `${new Date(at).toISOString().slice(0, 19)}+0000`

const faulty = (fault: FacebookFault) =>
  fault.kind === 'error'
    ? failure(fault.code, fault)
    : new Response('<html>Sorry, something went wrong.</html>', { status: 502 })

function failure(
  code: number,
  {
    subcode,
    message = `The stand-in says ${code}`,
    headers = {},
  }: { readonly subcode?: number; readonly message?: string; readonly headers?: Record<string, string> },
) {
  const error = { message, type: 'OAuthException', code, fbtrace_id: 'A1' }
  const body = { error: { ...error, ...(subcode === undefined ? {} : { error_subcode: subcode }) } }
  return Response.json(body, { status: code === 190 ? 401 : 400, headers })
}
