import { appSecret } from './facebook'

export const appId = '1234567890'
const userToken = 'EAA-user-token-that-is-long'
const version = 'v21.0'
const permissions =
  'pages_show_list,pages_read_engagement,pages_read_user_content,pages_manage_engagement,pages_manage_posts'

/** A Page as Facebook tells of it. */
export interface FacebookPage {
  readonly id: string
  readonly name: string
  /** Absent where the person may not use it. */
  readonly access_token?: string
  readonly tasks?: readonly string[]
  readonly [more: string]: unknown
}

export interface FacebookLogin {
  readonly pages: FacebookPage[]
  readonly redirectUris: Set<string>
  /** Permissions that the person takes the tick from. */
  readonly declined: Set<string>
  /** Errors of the next requests for tokens or Pages: Facebook's codes, or a list without an end. */
  readonly faults: { token: number[]; pages: (number | 'loop' | null)[] }
  readonly complaints: string[]
  /** Where a person who was sent here is led back to. */
  answer(consentUrl: string, said?: 'allow' | 'deny'): string
  /** Null for what somebody else answers. */
  fetch(request: Request): Promise<Response | null>
}

/** Facebook's consent page, tokens and Pages on the wire. */
export function createFacebookLogin(): FacebookLogin {
  const codes = new Map<string, string>()
  const standIn: FacebookLogin = {
    declined: new Set(),
    pages: [],
    redirectUris: new Set(),
    faults: { token: [], pages: [] },
    complaints: [],
    answer: (consentUrl, said = 'allow') => decide(standIn, codes, new URL(consentUrl), said),
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === `/${version}/oauth/access_token`) {
        if (searchParams.size > 0 || request.method !== 'POST')
          standIn.complaints.push('secrets in the address')
        return token(standIn, codes, new URLSearchParams(await request.text()))
      }
      if (pathname === `/${version}/me/accounts`) return pages(standIn, request, searchParams)
      if (pathname === `/${version}/me/permissions`) {
        const status = (permission: string) => (standIn.declined.has(permission) ? 'declined' : 'granted')
        const data = permissions.split(',').map((permission) => ({ permission, status: status(permission) }))
        return Response.json({ data })
      }
      const page = standIn.pages.find(({ id }) => pathname === `/${version}/${id}`)
      if (!page || !searchParams.get('fields')?.includes('name')) return null
      if (request.headers.get('authorization') !== `Bearer ${page.access_token}`) return failure(190)
      const { access_token: _, tasks: __, ...details } = page
      return Response.json(details)
    },
  }
  return standIn
}

function decide(
  { complaints, redirectUris }: FacebookLogin,
  codes: Map<string, string>,
  { pathname, searchParams: query }: URL,
  said: 'allow' | 'deny',
): string {
  if (!pathname.endsWith(`/${version}/dialog/oauth`)) complaints.push(`path ${pathname}`)
  const wanted = { client_id: appId, response_type: 'code', scope: permissions }
  for (const [name, value] of Object.entries(wanted))
    if (query.get(name) !== value) complaints.push(`${name} ${query.get(name)}`)
  const redirectUri = query.get('redirect_uri') ?? ''
  if (!redirectUris.has(redirectUri)) throw new Error(`URL blocked ${redirectUri}`)
  const back = new URL(redirectUri)
  back.searchParams.set('state', query.get('state') ?? '')
  if (said === 'deny') {
    const denied = { error: 'access_denied', error_code: '200', error_reason: 'user_denied' }
    for (const [name, value] of Object.entries(denied)) back.searchParams.set(name, value)
    return `${back.href}#_=_`
  }
  const code = `AQD-code-${codes.size + 1}`
  codes.set(code, redirectUri)
  back.searchParams.set('code', code)
  return `${back.href}#_=_`
}

function token(standIn: FacebookLogin, codes: Map<string, string>, form: URLSearchParams): Response {
  const fault = standIn.faults.token.shift()
  if (fault !== undefined) return failure(fault)
  if (form.get('client_id') !== appId || form.get('client_secret') !== appSecret) return failure(101)
  if (form.get('grant_type') === 'fb_exchange_token') {
    if (form.get('fb_exchange_token') !== 'EAA-short') return failure(190)
    return Response.json({ access_token: userToken, token_type: 'bearer', expires_in: 5_184_000 })
  }
  const code = form.get('code') ?? ''
  const redirectUri = codes.get(code)
  codes.delete(code)
  if (redirectUri === undefined || redirectUri !== form.get('redirect_uri')) return failure(100)
  return Response.json({ access_token: 'EAA-short', token_type: 'bearer', expires_in: 5_000 })
}

function pages(standIn: FacebookLogin, request: Request, query: URLSearchParams): Response {
  if (request.headers.get('authorization') !== `Bearer ${userToken}`) return failure(190)
  const proof = new Bun.CryptoHasher('sha256', appSecret).update(userToken).digest('hex')
  if (query.get('appsecret_proof') !== proof) standIn.complaints.push('appsecret_proof')
  if (request.url.includes(userToken)) standIn.complaints.push('token in the address')
  const fault = standIn.faults.pages.shift() ?? null
  if (typeof fault === 'number') return failure(fault)
  const size = Math.min(2, Number(query.get('limit') ?? 25))
  const from = Number(query.get('after') ?? 0)
  const data = standIn.pages
    .slice(from, from + size)
    .map(({ id, name, access_token, tasks }) => ({ id, name, access_token, tasks }))
  const after = String(fault === 'loop' ? from : from + size)
  const more = fault === 'loop' || from + size < standIn.pages.length
  const next = more ? { next: `https://graph.facebook.com/x?access_token=${userToken}&after=${after}` } : {}
  return Response.json({ data, paging: { cursors: { before: 'b', after }, ...next } })
}

const failure = (code: number) =>
  Response.json(
    { error: { message: `The stand-in says ${code}`, type: 'OAuthException', code } },
    { status: code === 190 ? 401 : 400 },
  )
