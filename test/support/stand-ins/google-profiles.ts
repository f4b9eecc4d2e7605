/** What may go wrong with a list. */
export type ListFault =
  | { readonly kind: 'status'; readonly status: number; readonly word?: string; readonly retryAfter?: string }
  | { readonly kind: 'empty' | 'loop' | 'html' | 'odd' }

/** What may go wrong with the first token of a consent. */
export type TokenFault = 'invalid_grant' | 'redirect_uri_mismatch' | 'no_refresh' | 'no_scope' | 'html'

export const googleClient = { id: 'client-1.apps.example', secret: 'google-client-secret-0123' }
/** The token that lasts, as everybody gets it here. */
export const refreshToken = '1//refresh'
const scope = 'https://www.googleapis.com/auth/business.manage'

export interface GoogleProfiles {
  /** Of the one person there is, their own first. */
  readonly accounts: { name: string; accountName?: string; type?: string }[]
  /** By account, as they go over the wire. */
  readonly locations: Map<string, { name: string; [more: string]: unknown }[]>
  /** Addresses that may be led back to. */
  readonly redirectUris: Set<string>
  readonly faults: { accounts: (ListFault | null)[]; locations: (ListFault | null)[]; token: TokenFault[] }
  /** Requests that were made wrongly. */
  readonly complaints: string[]
  /** Where a person who was sent here is led back to. */
  answer(consentUrl: string, said?: 'allow' | 'deny'): string
  fetch(request: Request): Promise<Response>
}

interface Code {
  readonly challenge: string
  readonly redirectUri: string
}

/** Google's consent page, tokens, accounts and locations on the wire. `tokens` are those that are good, shared with others. */
export function createGoogleProfiles({ tokens }: { readonly tokens: Set<string> }): GoogleProfiles {
  const codes = new Map<string, Code>()
  const standIn: GoogleProfiles = {
    accounts: [{ name: 'accounts/111', accountName: 'Ann Owner', type: 'PERSONAL' }],
    locations: new Map(),
    redirectUris: new Set(),
    complaints: [],
    faults: { accounts: [], locations: [], token: [] },
    answer: (consentUrl, said = 'allow') => decide(standIn, codes, new URL(consentUrl).searchParams, said),
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/consent') return consentPage(standIn, searchParams)
      if (pathname === '/consent/allow' || pathname === '/consent/deny') {
        const said = pathname === '/consent/deny' ? 'deny' : 'allow'
        return new Response(null, {
          status: 302,
          headers: { location: decide(standIn, codes, searchParams, said) },
        })
      }
      if (pathname === '/token')
        return token(standIn, codes, tokens, new URLSearchParams(await request.text()))
      const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      if (!tokens.has(bearer)) return problem(401, 'UNAUTHENTICATED')
      if (pathname === '/v1/accounts') return accounts(standIn, searchParams)
      const account = /^\/v1\/(accounts\/[^/]+)\/locations$/.exec(pathname)?.[1]
      return account === undefined
        ? problem(404, 'NOT_FOUND')
        : locations(standIn, account, searchParams, request)
    },
  }
  return standIn
}

function consentPage({ redirectUris }: GoogleProfiles, query: URLSearchParams): Response {
  const isKnown = redirectUris.has(query.get('redirect_uri') ?? '')
  const link = (said: string, words: string) =>
    `<a href="/google/consent/${said}?${query.toString().replaceAll('&', '&amp;')}">${words}</a>`
  const body = isKnown
    ? `<h1>Renown wants to access your account</h1>${link('allow', 'Continue')} ${link('deny', 'Cancel')}`
    : '<h1>Error 400: redirect_uri_mismatch</h1>'
  return new Response(`<!doctype html><title>Sign in</title>${body}`, {
    status: isKnown ? 200 : 400,
    headers: { 'content-type': 'text/html' },
  })
}

/** What a person says, as the address that they are led back to. */
function decide(
  { complaints, redirectUris }: GoogleProfiles,
  codes: Map<string, Code>,
  query: URLSearchParams,
  said: 'allow' | 'deny',
): string {
  const wanted = {
    client_id: googleClient.id,
    response_type: 'code',
    scope,
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'consent',
  }
  for (const [name, value] of Object.entries(wanted))
    if (query.get(name) !== value) complaints.push(`${name} ${query.get(name)}`)
  const redirectUri = query.get('redirect_uri') ?? ''
  if (!redirectUris.has(redirectUri)) throw new Error(`redirect_uri_mismatch ${redirectUri}`)
  const back = new URL(redirectUri)
  back.searchParams.set('state', query.get('state') ?? '')
  if (said === 'deny') {
    back.searchParams.set('error', 'access_denied')
    return back.href
  }
  const code = `4/code-${codes.size + 1}`
  codes.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri })
  back.searchParams.set('code', code)
  back.searchParams.set('scope', scope)
  return back.href
}

function token(
  { faults, complaints }: GoogleProfiles,
  codes: Map<string, Code>,
  tokens: Set<string>,
  form: URLSearchParams,
): Response {
  if (form.get('client_id') !== googleClient.id || form.get('client_secret') !== googleClient.secret)
    return refused(401, 'invalid_client')
  const access_token = `ya29.token-${tokens.size + 1}`
  const given = { access_token, expires_in: 3_599, token_type: 'Bearer' }
  if (form.get('grant_type') === 'refresh_token') {
    if (form.get('refresh_token') !== refreshToken) return refused(400, 'invalid_grant')
    tokens.add(access_token)
    return Response.json(given)
  }
  const code = codes.get(form.get('code') ?? '')
  codes.delete(form.get('code') ?? '')
  const fault = faults.token.shift()
  if (fault === 'html') return new Response('<html>', { status: 502 })
  if (fault === 'invalid_grant' || fault === 'redirect_uri_mismatch') return refused(400, fault)
  if (!code) return refused(400, 'invalid_grant')
  const proof = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
  if (proof !== code.challenge) complaints.push('code_verifier')
  if (form.get('redirect_uri') !== code.redirectUri) return refused(400, 'redirect_uri_mismatch')
  tokens.add(access_token)
  return Response.json({
    ...given,
    scope: fault === 'no_scope' ? 'openid' : scope,
    ...(fault === 'no_refresh' ? {} : { refresh_token: refreshToken }),
  })
}

function accounts(standIn: GoogleProfiles, query: URLSearchParams): Response {
  if (query.get('pageSize') !== '20') standIn.complaints.push(`pageSize ${query.get('pageSize')}`)
  return listed(standIn.faults.accounts, 'accounts', standIn.accounts, query, 20)
}

function locations(
  standIn: GoogleProfiles,
  account: string,
  query: URLSearchParams,
  request: Request,
): Response {
  if (!query.get('readMask')) return problem(400, 'INVALID_ARGUMENT')
  if (query.get('pageSize') !== '100') standIn.complaints.push(`pageSize ${query.get('pageSize')}`)
  if (!/^Renown\//.test(request.headers.get('user-agent') ?? '')) standIn.complaints.push('user-agent')
  const all =
    account === 'accounts/-' ? [...standIn.locations.values()].flat() : standIn.locations.get(account)
  if (!all) return problem(403, 'PERMISSION_DENIED')
  return listed(standIn.faults.locations, 'locations', all, query, 100)
}

/** A page of a list; past its end the fields are absent, as Google leaves out what is empty. */
function listed(
  faults: (ListFault | null)[],
  name: string,
  all: readonly object[],
  query: URLSearchParams,
  size: number,
): Response {
  const fault = faults.shift() ?? null
  if (fault?.kind === 'status') return problem(fault.status, fault.word ?? 'FAULT', fault.retryAfter)
  if (fault?.kind === 'html') return new Response('<html>Sorry</html>', { status: 200 })
  if (fault?.kind === 'odd') return Response.json({ [name]: [{ name: 17 }] })
  if (fault?.kind === 'empty') return Response.json({})
  const offset = Number(query.get('pageToken')?.slice(1) ?? 0)
  const shown = all.slice(offset, offset + size)
  const next = fault?.kind === 'loop' ? offset : offset + size
  const isLast = fault?.kind !== 'loop' && next >= all.length
  return Response.json({
    ...(shown.length === 0 ? {} : { [name]: shown }),
    ...(isLast ? {} : { nextPageToken: `t${next}` }),
  })
}

const refused = (status: number, error: string) =>
  Response.json({ error, error_description: `The stand-in says ${error}` }, { status })

const problem = (status: number, word: string, retryAfter?: string) =>
  Response.json(
    { error: { code: status, message: `The stand-in says ${word}`, status: word } },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  )
