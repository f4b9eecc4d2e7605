import { createHash, randomBytes } from 'node:crypto'
import { createSessions } from '../../core/auth/sessions'
import { User } from '../../core/product/tenancy-plugin'
import type { Gate, Tenant } from './harness'

/** What the token endpoint answers. */
export interface TokenBody {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly error?: string
}

export const callback = 'http://127.0.0.1:33418/callback'
export const localIssuer = 'http://localhost:3000'

/** What a person ticks on the consent page. Everything that is offered, where it is left out. */
export interface Ticked {
  readonly write?: boolean
  readonly workspaces?: readonly string[]
}

export interface AppOptions {
  /** The host that is asked, `http://localhost:3000` where it is left out. */
  readonly issuer?: string
  readonly metadata?: object
  readonly tenant?: Tenant
  /** A client id of its own, in place of a registration. */
  readonly clientId?: string
}

type Fields = Readonly<Record<string, string | null>>

/** An app against a gate: registered, with a person who is signed in, and able to go through every step. */
export async function connectApp(gate: Gate, options: AppOptions = {}) {
  const { issuer = localIssuer, tenant = gate.tenant } = options
  const headers = { host: new URL(issuer).host }
  const client = options.clientId
    ? { client_id: options.clientId }
    : await registered(gate, headers, options.metadata)
  const { user, cookie } = await signIn(gate, issuer, tenant)
  const form = (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
    postForm(gate, path, { ...headers, ...more }, { client_id: client.client_id, ...fields })
  /** Opens a page with the person's cookie. */
  const open = (path: string) => gate.ask(path, { key: null, headers: { ...headers, cookie } })
  /** Asks for access; answers the Response, mostly a way to the consent page. */
  const authorize = (fields: Fields = {}) => {
    const { verifier, challenge } = pkcePair()
    const asked = authorizeQuery({ client_id: client.client_id, code_challenge: challenge }, fields)
    return { verifier, sent: open(`/oauth/authorize?${asked}`) }
  }
  /** Presses a button of the consent page; answers where that leads. */
  const decide = async (path: string, ticked: Ticked | 'deny' = {}) => {
    const html = await (await open(path)).text()
    const body = consentForm(html, ticked)
    const sent = { ...headers, cookie, origin: issuer, 'content-type': 'application/x-www-form-urlencoded' }
    return gate.ask('/oauth/consent', { method: 'POST', key: null, headers: sent, body })
  }
  const consent = async (fields: Fields = {}, ticked: Ticked = {}) => {
    const { verifier, sent } = authorize(fields)
    const answer = await decide((await sent).headers.get('location') ?? '', ticked)
    const location = answer.headers.get('location') ?? ''
    return { verifier, location, code: new URL(location).searchParams.get('code') ?? '' }
  }
  const exchange = (code: string, verifier: string, fields: Record<string, string> = {}) =>
    form('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: callback,
      ...fields,
    })
  const refresh = (token: string, fields: Record<string, string> = {}) =>
    form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...fields })
  const connect = async (fields: Fields = {}, ticked: Ticked = {}) => {
    const { code, verifier } = await consent(fields, ticked)
    return (await (await exchange(code, verifier)).json()) as TokenBody
  }
  const status = async (token: string, path = '/api/surface') =>
    (await gate.ask(path, { key: token, headers })).status
  return {
    client,
    user,
    cookie,
    headers,
    form,
    authorize,
    open,
    decide,
    consent,
    exchange,
    refresh,
    connect,
    status,
  }
}

export type App = Awaited<ReturnType<typeof connectApp>>

export function pkcePair() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The query of an authorization request; null leaves a parameter out. */
export function authorizeQuery(own: Record<string, string>, fields: Fields = {}) {
  const all: Fields = {
    response_type: 'code',
    redirect_uri: callback,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...own,
    ...fields,
  }
  return new URLSearchParams(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null),
  ).toString()
}

export const postForm = (
  gate: Gate,
  path: string,
  headers: Record<string, string>,
  fields: Record<string, string>,
) =>
  gate.ask(path, {
    method: 'POST',
    key: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

async function registered(gate: Gate, headers: Record<string, string>, metadata: object = {}) {
  const body = {
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    client_name: 'Test app',
    ...metadata,
  }
  const answer = await gate.ask('/oauth/register', { method: 'POST', key: null, headers, body })
  return (await answer.json()) as { client_id: string; client_secret?: string }
}

/** A new person of the tenant's agency, signed in at that host. */
export async function signIn(gate: Gate, origin: string, { agencyId }: Tenant) {
  const user = await gate.put(User, { agency_id: agencyId, role: 'owner', is_active: true }, agencyId)
  const host = { origin, kind: 'loopback', agency_id: null } as const
  const { cookie } = await createSessions(gate).start(user, host, new Request(origin))
  return { user, cookie: cookie.split(';')[0] ?? '' }
}

/** The consent page's form as a browser would send it, with what is ticked. */
function consentForm(html: string, ticked: Ticked | 'deny'): string {
  const form = new URLSearchParams()
  for (const [input] of html.matchAll(/<input [^>]*>/g)) {
    const [name = '', value = ''] = ['name', 'value'].map((key) => attribute(input, key))
    if (attribute(input, 'type') === 'hidden' || / checked/.test(input)) form.append(name, value)
  }
  form.set('decision', ticked === 'deny' ? 'deny' : 'allow')
  if (ticked === 'deny') return form.toString()
  if (ticked.write === false) form.delete('write')
  if (ticked.workspaces) {
    form.delete('all')
    for (const id of ticked.workspaces) form.append('workspace', id)
  }
  return form.toString()
}

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
