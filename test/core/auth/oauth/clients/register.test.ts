import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OAuthClient } from '../../../../../core/auth/oauth/clients/OAuthClient'
import { everything } from '../../../../../core/contracts/where'
import { sha256Hex } from '../../../../../core/process/crypto'
import { type Gate, startGate } from '../../../../support/harness'
import { authorizeQuery, callback, connectApp, pkcePair } from '../../../../support/oauth-app'

let gate: Gate
beforeAll(async () => {
  gate = await startGate()
})
afterAll(() => gate.stop())

async function register(metadata: unknown, headers: Record<string, string> = {}) {
  const answer = await gate.ask('/oauth/register', { method: 'POST', key: null, headers, body: metadata })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, unknown>,
  }
}

describe('a registration', () => {
  test('with redirect_uris alone gets the defaults of RFC 7591, echoed, and a secret that does not end', async () => {
    const { status, headers, body } = await register({ redirect_uris: [callback] })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toMatchObject({
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [callback],
      scope: 'read write',
    })
    expect(body.client_secret).toMatch(/^rnw_cs_[0-9A-Za-z]{46}$/)
    expect(body.client_id_issued_at).toBeNumber()
    expect(body.client_name).toBeString()
  })

  test('holds no null and no empty text, whatever of these came in', async () => {
    const { status, body } = await register({
      redirect_uris: [callback],
      client_name: '',
      client_uri: null,
      logo_uri: '',
      software_id: null,
      scope: '',
      grant_types: null,
      response_types: [],
      token_endpoint_auth_method: 'none',
      contacts: [],
    })
    expect(status).toBe(201)
    for (const value of Object.values(body)) expect([null, '', undefined]).not.toContain(value as string)
    expect(body).not.toHaveProperty('client_secret')
    expect(body).not.toHaveProperty('client_secret_expires_at')
  })

  test('may hold app schemes, https and loopback at once, as Cursor and VS Code send them', async () => {
    for (const redirect_uris of [
      [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ['http://127.0.0.1/', 'http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    ]) {
      const { status, body } = await register({ redirect_uris, application_type: 'web' })
      expect([status, body.redirect_uris]).toEqual([201, redirect_uris])
    }
  })

  test('keeps what it knows of grant types and drops the rest', async () => {
    const grant_types = [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ]
    const { body } = await register({ redirect_uris: [callback], grant_types })
    expect(body.grant_types).toEqual(['authorization_code', 'refresh_token'])
    const of = async (metadata: object) => (await register({ redirect_uris: [callback], ...metadata })).body
    expect((await of({ grant_types: ['authorization_code'] })).grant_types).toEqual(['authorization_code'])
    expect((await of({ grant_types: [] })).grant_types).toEqual(['authorization_code'])
    expect((await of({ grant_types: ['refresh_token'] })).error).toBe('invalid_client_metadata')
    for (const response_types of [[], null, ['code'], ['token', 'code']])
      expect((await of({ response_types })).response_types).toEqual(['code'])
    expect((await of({ response_types: ['token'] })).error).toBe('invalid_client_metadata')
    for (const method of ['none', 'client_secret_post', 'client_secret_basic'])
      expect(await of({ token_endpoint_auth_method: method })).toMatchObject({
        token_endpoint_auth_method: method,
        scope: 'read write',
      })
    expect((await of({ token_endpoint_auth_method: 'private_key_jwt' })).error_description).toBe(
      'token_endpoint_auth_method must be one of none, client_secret_post, client_secret_basic',
    )
  })

  test('comes as JSON, however its type is written', async () => {
    const typed = (type: string) => register({ redirect_uris: [callback] }, { 'content-type': type })
    expect((await typed('Application/JSON; charset=utf-8')).status).toBe(201)
    expect((await typed('text/plain')).status).toBe(400)
  })

  test('whose addresses are no list is refused for them', async () => {
    for (const redirect_uris of [callback, [1], undefined]) {
      const { status, body } = await register({ redirect_uris })
      expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    }
    expect((await register({ redirect_uris: [callback], client_name: 1 })).body.error).toBe(
      'invalid_client_metadata',
    )
  })

  test('that cannot stand is refused by the words of RFC 7591', async () => {
    const of = async (metadata: unknown, headers: Record<string, string> = {}) => {
      const { status, body } = await register(metadata, headers)
      return [status, body.error]
    }
    const redirect = [400, 'invalid_redirect_uri']
    const metadata = [400, 'invalid_client_metadata']
    expect(await of({})).toEqual(redirect)
    expect(await of({ redirect_uris: [] })).toEqual(redirect)
    expect(await of({ redirect_uris: 'https://a.example' })).toEqual(redirect)
    expect(await of({ redirect_uris: [callback, 'javascript:alert(1)'] })).toEqual(redirect)
    expect(await of({ redirect_uris: Array(21).fill(callback) })).toEqual(redirect)
    const more = { redirect_uris: [callback] }
    expect(await of({ ...more, token_endpoint_auth_method: 'private_key_jwt' })).toEqual(metadata)
    expect(await of({ ...more, grant_types: ['client_credentials'] })).toEqual(metadata)
    expect(await of({ ...more, response_types: ['token'] })).toEqual(metadata)
    expect(await of({ ...more, client_name: 7 })).toEqual(metadata)
    expect(await of('[]')).toEqual(metadata)
    expect(await of('{')).toEqual(metadata)
    const said = async (text: string) => (await register(text)).body.error_description
    expect(await said('{')).toBe('The body is not JSON in UTF-8')
    expect(await said('[]')).toBe('The body must be a JSON object')
    expect(await said('['.repeat(40) + ']'.repeat(40))).toStartWith('The body ')
    expect(await of('{}', { 'content-type': 'text/plain' })).toEqual(metadata)
    const text = (bytes: number) => {
      const body = JSON.stringify({ ...more, software_id: '' })
      return body.replace('"software_id":""', `"software_id":"${'x'.repeat(bytes - body.length)}"`)
    }
    expect((await of(text(32 * 1024)))[0]).toBe(201)
    expect((await of(text(32 * 1024 + 1)))[0]).toBe(413)
    expect((await of({ redirect_uris: Array(20).fill(callback) }))[0]).toBe(201)
  })

  test('is forgotten after a day unless somebody consents, and then lasts as long as the grant', async () => {
    const used = await connectApp(gate)
    await used.connect()
    const unused = await connectApp(gate)
    gate.clock.advance(24 * 60 * 60_000 + 1)
    expect(await (await unused.authorize().sent).text()).toContain('does not know this app')
    expect((await unused.refresh('x')).status).toBe(401)
    expect((await used.authorize().sent).status).toBe(303)
    const rows = await gate.documents.collection(OAuthClient).find({ where: everything })
    expect(rows.some(({ id }) => id === used.client.client_id)).toBe(true)
  })

  test('keeps a hash of the secret alone', async () => {
    const { body } = await register({ redirect_uris: [callback] })
    const row = await gate.documents.collection(OAuthClient).get(String(body.client_id))
    expect(row?.secret_hash).toBe(await sha256Hex(String(body.client_secret)))
    expect(JSON.stringify(row)).not.toContain(String(body.client_secret).slice(8, -8))
  })

  test('is known at its own host and nowhere else', async () => {
    const { body } = await register({ redirect_uris: [callback], token_endpoint_auth_method: 'none' })
    const query = authorizeQuery({ client_id: String(body.client_id), code_challenge: pkcePair().challenge })
    const at = async (host: string) =>
      (await gate.ask(`/oauth/authorize?${query}`, { key: null, headers: { host } })).status
    expect([await at('localhost:3000'), await at('127.0.0.1:3000'), await at('localhost:4000')]).toEqual([
      303, 400, 400,
    ])
  })
})

test('more than 20 registrations an hour from one address wait, and are told so in JSON', async () => {
  const limited = await startGate({ settings: { LIMIT_REGISTRATIONS_PER_HOUR: '20' } })
  const ask = (address: string) =>
    limited.ask('/oauth/register', {
      method: 'POST',
      key: null,
      address,
      body: { redirect_uris: [callback] },
    })
  for (let time = 0; time < 20; time++) expect((await ask('203.0.113.9')).status).toBe(201)
  const refused = await ask('203.0.113.9')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  expect(await refused.json()).toMatchObject({ error: 'too_many_requests' })
  expect((await ask('203.0.113.10')).status).toBe(201)
  limited.clock.advance(60 * 60_000)
  expect((await ask('203.0.113.9')).status).toBe(201)
  await limited.stop()
})
