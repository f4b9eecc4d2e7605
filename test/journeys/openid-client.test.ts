import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as client from 'openid-client'
import { type SignedInPerson, signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'

let product: RunningProduct
let owner: SignedInPerson
let issuer: URL
beforeAll(async () => {
  product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
  issuer = new URL(product.facts.api_url)
  owner = await signIn(product)
}, 90_000)
afterAll(() => product?.[Symbol.asyncDispose]())

const methods = {
  none: client.None(),
  client_secret_post: client.ClientSecretPost(),
  client_secret_basic: client.ClientSecretBasic(),
} as const

describe.each(Object.entries(methods))('openid-client, authenticating by %s', (method, auth) => {
  let config: client.Configuration
  const redirect_uri = 'http://localhost/callback'
  beforeAll(async () => {
    config = await client.dynamicClientRegistration(
      issuer,
      { redirect_uris: [redirect_uri], token_endpoint_auth_method: method, client_name: 'openid-client' },
      auth,
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    )
  })

  /** With a port of its own each time, as programs on a machine have. */
  async function connect() {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirect_uri.replace('localhost', 'localhost:40404'),
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      scope: 'read write',
    })
    const answer = await owner.decide(url)
    const checks = { pkceCodeVerifier, expectedState }
    return { answer, checks, tokens: await client.authorizationCodeGrant(config, answer, checks) }
  }
  const ask = (token: string) =>
    client.fetchProtectedResource(
      config,
      token,
      new URL('/api/entities/Workspace', issuer),
      'GET',
      undefined,
      undefined,
    )

  test('knows the server by its metadata', () => {
    const metadata = config.serverMetadata()
    expect(metadata.issuer).toBe(issuer.origin)
    expect(metadata.supportsPKCE()).toBe(true)
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true)
  })

  test('takes tokens, asks with them, renews them at once from several places, and takes them back', async () => {
    const { tokens } = await connect()
    expect((await ask(tokens.access_token)).status).toBe(200)
    const refreshToken = tokens.refresh_token ?? ''
    const renewed = await Promise.all([1, 2, 3].map(() => client.refreshTokenGrant(config, refreshToken)))
    for (const { access_token } of renewed) expect((await ask(access_token)).status).toBe(200)
    await client.tokenRevocation(config, renewed[0]?.refresh_token ?? '')
    for (const { access_token } of [tokens, ...renewed]) {
      await expect(ask(access_token)).rejects.toThrow(client.WWWAuthenticateChallengeError)
    }
  }, 90_000)

  test('shows a code once: what came of it ends when it is shown again', async () => {
    const { answer, checks, tokens } = await connect()
    const again = client.authorizationCodeGrant(config, answer, checks)
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(ask(tokens.access_token)).rejects.toThrow(client.WWWAuthenticateChallengeError)
  }, 90_000)
})
