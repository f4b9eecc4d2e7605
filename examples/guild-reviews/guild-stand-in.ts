import { createHash } from 'node:crypto'

/** A review as the Guild holds it. */
export interface GuildReview {
  readonly id: string
  readonly stars: number
  readonly text: string
  readonly written: string
}

/** A shop of a member. */
export interface GuildShop {
  readonly id: string
  readonly name: string
  readonly city?: string
  readonly website?: string
}

/** The Guild as a client sees it, with whatever reviews and faults a test wants. */
export interface GuildStandIn {
  reviews: readonly GuildReview[]
  shops: readonly GuildShop[]
  /** Statuses of the next answers for data, in order. The Guild's own error form comes with each. */
  readonly faults: number[]
  /** Requests that a real Guild would not have accepted. */
  readonly complaints: string[]
  /** A member allows it: returns the address that the browser is sent back to. */
  allow(consentUrl: string): string
  fetch(request: Request): Promise<Response>
}

export const guildClient = { id: 'client-7', secret: 'guild-client-secret' }
export const guildMember = { id: 'member-7', name: 'Ann Owner' }
export const guildRefreshToken = 'guild-refresh-token-1'
const pageSize = 50

/** Speaks the wire of the Guild: a consent page, tokens, members, shops and reviews. */
export function createGuild(): GuildStandIn {
  const codes = new Map<string, URLSearchParams>()
  const tokens = new Set<string>()
  const guild: GuildStandIn = {
    reviews: [],
    shops: [],
    faults: [],
    complaints: [],
    allow: (consentUrl) => allow(guild, codes, new URL(consentUrl)),
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/oauth/token')
        return tokenAnswer(codes, tokens, new URLSearchParams(await request.text()))
      const fault = guild.faults.shift()
      return fault === undefined ? dataAnswer(guild, tokens, request) : refusal(fault, 'fault')
    },
  }
  return guild
}

function allow({ complaints }: GuildStandIn, codes: Map<string, URLSearchParams>, url: URL): string {
  const query = url.searchParams
  const wanted = { response_type: 'code', client_id: guildClient.id, code_challenge_method: 'S256' }
  for (const [name, value] of Object.entries(wanted))
    if (query.get(name) !== value) complaints.push(`${name} ${query.get(name)}`)
  const code = `code-${codes.size + 1}`
  codes.set(code, query)
  const back = new URL(query.get('redirect_uri') ?? '')
  back.searchParams.set('state', query.get('state') ?? '')
  back.searchParams.set('code', code)
  return back.href
}

function tokenAnswer(
  codes: Map<string, URLSearchParams>,
  tokens: Set<string>,
  form: URLSearchParams,
): Response {
  const isClient =
    form.get('client_id') === guildClient.id && form.get('client_secret') === guildClient.secret
  if (!isClient) return Response.json({ error: 'invalid_client' }, { status: 401 })
  if (!isGranted(codes, form)) return Response.json({ error: 'invalid_grant' }, { status: 400 })
  const access_token = `guild-access-token-${tokens.size + 1}`
  tokens.add(access_token)
  return Response.json({ access_token, expires_in: 3_600, refresh_token: guildRefreshToken })
}

function isGranted(codes: Map<string, URLSearchParams>, form: URLSearchParams): boolean {
  if (form.get('grant_type') === 'refresh_token') return form.get('refresh_token') === guildRefreshToken
  const asked = codes.get(form.get('code') ?? '')
  // A code is good once.
  codes.delete(form.get('code') ?? '')
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isSameAddress = asked?.get('redirect_uri') === form.get('redirect_uri')
  return asked?.get('code_challenge') === challenge && isSameAddress
}

function dataAnswer({ reviews, shops }: GuildStandIn, tokens: Set<string>, request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  const token = (request.headers.get('authorization') ?? '').replace(/^Bearer /, '')
  if (!tokens.has(token)) return refusal(401, 'invalid_token')
  const [, list, id] = /^\/v1\/shops\/[^/]+\/(reviews)(?:\/([^/]+))?$/.exec(pathname) ?? []
  if (list !== undefined && id === undefined) return pageOf(list, reviews, searchParams)
  if (pathname === '/v1/me') return Response.json(guildMember)
  if (pathname === `/v1/members/${guildMember.id}/shops`) return pageOf('shops', shops, searchParams)
  const review = reviews.find((one) => one.id === decodeURIComponent(id ?? ''))
  return review ? Response.json(review) : refusal(404, id === undefined ? 'no_such_page' : 'no_such_review')
}

function pageOf(name: string, all: readonly object[], query: URLSearchParams): Response {
  const from = Number(query.get('after') ?? 0)
  const next = from + pageSize < all.length ? String(from + pageSize) : null
  return Response.json({ [name]: all.slice(from, from + pageSize), next })
}

const refusal = (status: number, code: string) =>
  Response.json({ error: { code, message: `The Guild says ${code}` } }, { status })
