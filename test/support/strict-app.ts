import * as oauth from 'oauth4webapi'
import { type ToolResult, unmarkedResult } from './mcp'

/** Everything here is asked over loopback, where http is right. */
export const overHttp = { [oauth.allowInsecureRequests]: true } as const

export type AuthMethod = 'none' | 'client_secret_post' | 'client_secret_basic'

/** How requests get to a host: over loopback, or by whatever stands in for a proxy with TLS. */
interface Way {
  readonly [oauth.allowInsecureRequests]?: boolean
  readonly [oauth.customFetch]?: (url: string, init: RequestInit) => Promise<Response>
}

/** An app that registered itself, checked word for word by oauth4webapi. */
export interface App {
  readonly as: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly auth: oauth.ClientAuth
  readonly resource: URL
  readonly redirectUri: string
  readonly way: Way
}

export interface Question {
  readonly url: URL
  readonly state: string
  readonly verifier: string
}

/** Finds the server as the resource names it (RFC 9728, RFC 8414) and registers (RFC 7591). */
export async function registerApp(
  origin: string,
  method: AuthMethod = 'none',
  redirectUri = 'http://127.0.0.1/callback',
  way: Way = overHttp,
): Promise<App> {
  const resource = new URL(`${origin}/api/mcp`)
  const about = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, way),
  )
  const issuer = new URL(about.authorization_servers?.[0] ?? '')
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...way })
  const as = await oauth.processDiscoveryResponse(issuer, found)
  const metadata = {
    client_name: 'An app of the tests',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, metadata, way),
  )
  return { as, client, auth: authOf(method, client), resource, redirectUri, way }
}

function authOf(
  method: AuthMethod,
  { client_secret }: oauth.OmitSymbolProperties<oauth.Client>,
): oauth.ClientAuth {
  const secret = String(client_secret ?? '')
  if (method === 'client_secret_basic') return oauth.ClientSecretBasic(secret)
  return method === 'client_secret_post' ? oauth.ClientSecretPost(secret) : oauth.None()
}

/** What the app asks a person for. `more` adds parameters or takes them out. */
export async function questionOf(
  { as, client, resource, redirectUri }: App,
  more: Readonly<Record<string, string | null>> = {},
): Promise<Question> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint ?? '')
  const asked: Record<string, string | null> = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: resource.href,
    scope: 'read write offline_access',
    state,
    ...more,
  }
  for (const [name, value] of Object.entries(asked)) if (value !== null) url.searchParams.set(name, value)
  return { url, state, verifier }
}

/** Takes the tokens for the answer that a person's browser brought. */
export async function exchange(
  { as, client, auth, resource, redirectUri, way }: App,
  answer: URL,
  { state, verifier }: Pick<Question, 'state' | 'verifier'>,
): Promise<oauth.TokenEndpointResponse> {
  const params = oauth.validateAuthResponse(as, client, answer, state)
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    auth,
    params,
    redirectUri,
    verifier,
    {
      additionalParameters: { resource: resource.href },
      ...way,
    },
  )
  return oauth.processAuthorizationCodeResponse(as, client, response)
}

/** A new pair for a refresh token. */
export async function refresh(
  { as, client, auth, resource, way }: App,
  token: string,
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(as, client, auth, token, {
    additionalParameters: { resource: resource.href },
    ...way,
  })
  return oauth.processRefreshTokenResponse(as, client, response)
}

/** RFC 7009. */
export async function revoke({ as, client, auth, way }: App, token: string): Promise<void> {
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, token, way))
}

/** Calls a tool with an access token; throws what oauth4webapi reads in a refusal. */
export async function callWith(
  token: string,
  resource: URL,
  name: string,
  args: object = {},
  way: Way = overHttp,
) {
  const headers = new Headers({ 'content-type': 'application/json' })
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const address = new URL('?structured=1', resource)
  const response = await oauth.protectedResourceRequest(token, 'POST', address, headers, body, way)
  const { result } = (await response.json()) as { result: ToolResult }
  return { result: unmarkedResult(result) }
}

/** What a refusal of the resource said: its status and the parameters of its challenge. */
export async function challengeOf(refused: Promise<unknown>) {
  const error = await refused.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error ?? new Error('It was answered')
  return { status: error.status, ...error.cause[0]?.parameters } as Record<string, unknown>
}

/** The code of a refusal of the token endpoint. */
export async function errorOf(refused: Promise<unknown>): Promise<string> {
  const error = await refused.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return error.error
  if (error instanceof oauth.WWWAuthenticateChallengeError) return 'invalid_client'
  throw error ?? new Error('It was answered')
}
