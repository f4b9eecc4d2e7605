import { createHash, randomBytes } from 'node:crypto'
import { createRequests } from '../../core/auth/oauth/authorize'
import { createAppDocuments } from '../../core/auth/oauth/client-metadata'
import { createClients } from '../../core/auth/oauth/clients'
import { createCodes } from '../../core/auth/oauth/codes'
import { type Allowed, createDecision } from '../../core/auth/oauth/decision'
import { createGrants } from '../../core/auth/oauth/grants'
import { User } from '../../core/tenancy/index'
import type { Gate, Tenant } from './harness'
import { quietLog } from './quiet-log'

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

export interface AppOptions {
  /** The Host that is asked, `localhost:3000` where it is left out. */
  readonly host?: string
  readonly issuer?: string
  readonly metadata?: object
  readonly tenant?: Tenant
}

/** An app against a gate: registered, and able to go through every step by itself. A person's yes is given in process. */
export async function connectApp(gate: Gate, options: AppOptions = {}) {
  const { host = 'localhost:3000', issuer = localIssuer, tenant = gate.tenant } = options
  const headers = { host }
  const registered = await postJson(gate, '/oauth/register', headers, {
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    client_name: 'Test app',
    ...options.metadata,
  })
  const client = (await registered.json()) as { client_id: string; client_secret?: string }
  const user = await gate.put(
    User,
    { agency_id: tenant.agencyId, role: 'owner', is_active: true },
    tenant.agencyId,
  )
  const form = (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
    postForm(gate, path, { ...headers, ...more }, { client_id: client.client_id, ...fields })
  const authorize = (fields: Record<string, string | null> = {}) => {
    const pkce = pkcePair()
    const asked = authorizeQuery({ client_id: client.client_id, code_challenge: pkce.challenge }, fields)
    const sent = gate.ask(`/oauth/authorize?${asked}`, { key: null, headers })
    return { verifier: pkce.verifier, sent }
  }
  /** Goes to the consent page and says yes there; answers the code. */
  const consent = async (fields: Record<string, string | null> = {}, allowed: Partial<Allowed> = {}) => {
    const { verifier, sent } = authorize(fields)
    const location = (await sent).headers.get('location') ?? ''
    const answer = await allowAt(gate, location, issuer, client.client_id, user, allowed)
    const code = new URL(answer).searchParams.get('code') ?? ''
    return { code, verifier, location: answer }
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
  const connect = async (fields: Record<string, string | null> = {}, allowed: Partial<Allowed> = {}) => {
    const { code, verifier } = await consent(fields, allowed)
    return (await (await exchange(code, verifier)).json()) as TokenBody
  }
  const status = async (token: string, path = '/api/surface') =>
    (await gate.ask(path, { key: token, headers })).status
  return { client, user, headers, form, authorize, consent, exchange, refresh, connect, status }
}

export type App = Awaited<ReturnType<typeof connectApp>>

export function pkcePair() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The query of an authorization request; null leaves a parameter out. */
export function authorizeQuery(own: Record<string, string>, fields: Record<string, string | null> = {}) {
  const all = {
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

export const postJson = (gate: Gate, path: string, headers: Record<string, string>, body: unknown) =>
  gate.ask(path, { method: 'POST', key: null, headers, body })

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

async function allowAt(
  gate: Gate,
  location: string,
  issuer: string,
  clientId: string,
  user: { id: string; agency_id: string },
  allowed: Partial<Allowed>,
): Promise<string> {
  const { decision, requests, clients } = serverParts(gate)
  const id = new URLSearchParams(location.split('?')[1]).get('request') ?? ''
  const host = { origin: issuer, kind: 'loopback', agency_id: null } as const
  const asked = await requests.open(id, host)
  if (!asked) throw new Error(`there is no request at ${location}`)
  const state = { id: 'test', path: '', search: '', address: null, host, headers: {} }
  const client = await clients.find(clientId, host, state)
  if (!client) throw new Error('there is no such app')
  const by = { user_id: user.id, agency_id: user.agency_id }
  const given = {
    scopes: allowed.scopes ?? (['read', 'write'] as const),
    workspace_ids: allowed.workspace_ids ?? null,
  }
  const answer = await decision.allow(asked, client, by, given)
  return answer?.headers.get('location') ?? ''
}

/** The parts of a second server over the same store. */
export function serverParts(gate: Gate) {
  const { documents, clock } = gate
  const deps = { documents, clock, log: quietLog, limits: { appDocument() {} }, report: async () => {} }
  const appDocuments = createAppDocuments({ ...deps, safeFetch: () => Promise.reject(new Error('closed')) })
  const clients = createClients({ ...deps, appDocuments })
  const [requests, grants, codes] = [createRequests(deps), createGrants(deps), createCodes(deps)]
  return {
    clients,
    requests,
    grants,
    codes,
    decision: createDecision({ ...deps, clients, requests, grants, codes }),
  }
}
