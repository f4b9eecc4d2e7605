import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { oauthPagePaths, oauthRoutes } from '../../../../core/auth/oauth/route-table'
import { WhiteLabelDomain } from '../../../../core/tenancy/domains/WhiteLabelDomain'
import { type Gate, startGate } from '../../../support/harness'

const main = 'https://app.example.com'
const domain = 'reviews.agency.example'
let gate: Gate
beforeAll(async () => {
  gate = await startGate({ settings: { RENOWN_URL: main } })
  await gate.put(
    WhiteLabelDomain,
    { agency_id: gate.tenant.agencyId, domain, state: 'verified', token: 'x' },
    gate.tenant.agencyId,
  )
})
afterAll(() => gate.stop())

const get = (path: string, host = 'app.example.com', method = 'GET') =>
  gate.ask(path, { key: null, method, headers: { host } })
const issuers = [
  ['app.example.com', main],
  [domain, `https://${domain}`],
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
] as const

describe.each(issuers)('at %s', (host, issuer) => {
  test('the server tells of itself at the root: its issuer is the origin, without a slash', async () => {
    const answer = await get('/.well-known/oauth-authorization-server', host)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: ['read', 'write', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${issuer}/docs`,
    })
  })

  test('the resource tells of itself at the root and at its path, and names no other server', async () => {
    for (const place of ['', '/', '/api/mcp', '/api/mcp/']) {
      const answer = await get(`/.well-known/oauth-protected-resource${place}`, host)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({
        resource: `${issuer}/api/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
      })
    }
  })

  test('a 401 of any method names the metadata of this very host, before 405, 406 and 415', async () => {
    const told = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/api/mcp", scope="read write"`
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/api/mcp', '/api/mcp/', '/api/surface', '/api/nothing', '/api']) {
        const answer = await gate.ask(path, {
          key: null,
          method,
          headers: {
            host,
            accept: 'image/png',
            ...(method === 'POST' ? { 'content-type': 'text/plain' } : {}),
          },
          ...(method === 'POST' ? { body: 'x' } : {}),
        })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="renown", ${told}`)
      }
    }
    const wrong = await gate.ask('/api/mcp', { key: `rnw_at_${'x'.repeat(46)}`, headers: { host } })
    expect(wrong.headers.get('www-authenticate')).toBe(
      `Bearer realm="renown", error="invalid_token", ${told}`,
    )
  })
})

test('a host that is not served tells nothing', async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource']) {
    const answer = await get(path, 'evil.example')
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('content-type')).toContain('json')
  }
  const refused = await gate.ask('/api/mcp', { key: null, headers: { host: 'evil.example' } })
  expect(refused.headers.get('www-authenticate') ?? '').not.toContain('evil.example')
})

test('the issuer does not come from a header that anybody can send', async () => {
  const headers = { host: 'app.example.com', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  const answer = await gate.ask('/.well-known/oauth-authorization-server', { key: null, headers })
  expect(((await answer.json()) as { issuer: string }).issuer).toBe(main)
})

test('what is not there is 404 in JSON, and never a page', async () => {
  for (const path of [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/api/mcp',
    '/.well-known/oauth-protected-resource/other',
    '/.well-known/anything',
    '/oauth/nothing',
    '/oauth',
  ]) {
    const answer = await get(path)
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.headers.get('content-type')).toContain('json')
  }
})

test('a wrong method is 405 in JSON with the right ones, and no redirect', async () => {
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
    const answer = await get(path)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' })
  }
})

test('preflights are answered without a credential, and pages of any origin may read the answers', async () => {
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/api/mcp',
    '/oauth/register',
    '/oauth/token',
    '/oauth/revoke',
  ]) {
    const answer = await gate.ask(path, {
      key: null,
      method: 'OPTIONS',
      headers: { host: 'app.example.com', origin: 'https://inspector.example' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  }
  const read = await get('/.well-known/oauth-authorization-server')
  expect(read.headers.get('access-control-allow-origin')).toBe('*')
  const page = await gate.ask('/oauth/authorize', { key: null, headers: { host: 'app.example.com' } })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

test('the addresses of the server are those of its table, each with its methods and its readers', () => {
  const table = Object.entries(oauthRoutes).map(
    ([name, route]) => `${name}: ${route.methods.join(' ')} ${route.paths.join(' ')} for ${route.for}`,
  )
  const resource = '/.well-known/oauth-protected-resource'
  expect(table).toEqual([
    'server: GET HEAD /.well-known/oauth-authorization-server for programs',
    `resource: GET HEAD ${resource}/api/mcp ${resource}/api/mcp/ ${resource} ${resource}/ for programs`,
    'register: POST /oauth/register for programs',
    'token: POST /oauth/token for programs',
    'revoke: POST /oauth/revoke for programs',
    'authorize: GET /oauth/authorize for people',
    'consent: GET POST /oauth/consent for people',
  ])
  expect(oauthPagePaths).toEqual(['/oauth/authorize', '/oauth/consent'])
})
