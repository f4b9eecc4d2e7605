import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Gate, startGate } from '../../../support/harness'
import { type App, authorizeQuery, callback, connectApp, pkcePair } from '../../../support/oauth-app'

const faults: string[] = []
const nothing = () => undefined
const log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: (message: string, fields?: object) => void faults.push(`${message} ${JSON.stringify(fields)}`),
}

let gate: Gate
let app: App
beforeAll(async () => {
  gate = await startGate({ log, safeFetch: () => Promise.reject(new Error('closed')) })
  app = await connectApp(gate)
})
afterAll(() => gate.stop())

const numRuns = process.env.RENOWN_LONG ? 20_000 : 400
const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '%',
    '%zz',
    '%00',
    '\u202e',
    'null',
    '[]',
    callback,
    'read write',
    'S256',
  ),
  fc.constantFrom(
    'http://localhost/',
    'https://a.example/b',
    'authorization_code',
    'refresh_token',
    'code',
    'x'.repeat(5_000),
  ),
  fc.constantFrom(
    `rnw_rt_${'0'.repeat(46)}`,
    `rnw_ac_${'0'.repeat(46)}`,
    `ocl_${'0'.repeat(26)}`,
    '__proto__',
  ),
)
const names = fc.constantFrom(
  'client_id',
  'client_secret',
  'redirect_uri',
  'grant_type',
  'code',
  'code_verifier',
  'refresh_token',
  'resource',
  'scope',
  'state',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'token',
  'prompt',
  '__proto__',
)
const pairs = fc.array(fc.tuple(names, odd), { maxLength: 12 })
const textOf = (list: readonly (readonly [string, string])[]) =>
  list.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')

/** Whatever comes in, the answer is one of the protocol's own, in JSON, and none of our faults. */
async function isToldInJson(answer: Response, known: readonly string[]) {
  expect(faults).toEqual([])
  expect(answer.status).toBeLessThan(500)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const body = (await answer.json()) as { error?: string; error_description?: string }
  if (answer.status < 400) return
  expect(known).toContain(body.error ?? '')
  expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
}

test('the token endpoint answers any form by the words of RFC 6749', async () => {
  const known = [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'invalid_target',
    'unsupported_grant_type',
  ]
  const own = fc.constantFrom('', `client_id=${app.client.client_id}&grant_type=refresh_token&`)
  await fc.assert(
    fc.asyncProperty(own, pairs, fc.boolean(), async (first, list, isBasic) => {
      const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
      if (isBasic) headers.authorization = `Basic ${btoa(textOf(list).slice(0, 200))}`
      const body = `${first}${textOf(list)}`
      await isToldInJson(await gate.ask('/oauth/token', { method: 'POST', key: null, headers, body }), known)
    }),
    { numRuns },
  )
})

test('revocation answers any form with 200 or by the words of RFC 6749', async () => {
  await fc.assert(
    fc.asyncProperty(pairs, async (list) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = `client_id=${app.client.client_id}&${textOf(list)}`
      const answer = await gate.ask('/oauth/revoke', { method: 'POST', key: null, headers, body })
      expect(faults).toEqual([])
      expect([200, 400, 401]).toContain(answer.status)
    }),
    { numRuns },
  )
})

test('registration answers anything by the words of RFC 7591, and what it takes it can read again', async () => {
  const known = ['invalid_redirect_uri', 'invalid_client_metadata', 'invalid_request']
  const some = fc.oneof(odd, fc.array(odd, { maxLength: 4 }), fc.jsonValue())
  const metadata = fc.record(
    {
      redirect_uris: fc.oneof(some, fc.constant([callback])),
      client_name: some,
      token_endpoint_auth_method: fc.oneof(some, fc.constant('none')),
      grant_types: some,
      response_types: some,
      scope: some,
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(metadata, fc.jsonValue(), odd), async (given) => {
      const body = typeof given === 'string' ? given : JSON.stringify(given)
      const headers = { 'content-type': 'application/json' }
      const answer = await gate.ask('/oauth/register', { method: 'POST', key: null, headers, body })
      const again = answer.clone()
      await isToldInJson(answer, known)
      if (again.status !== 201) return
      const { client_id, redirect_uris } = (await again.json()) as {
        client_id: string
        redirect_uris: string[]
      }
      const query = authorizeQuery(
        { client_id, code_challenge: pkcePair().challenge },
        { redirect_uri: redirect_uris[0] ?? '' },
      )
      const path = (await app.open(`/oauth/authorize?${query}`)).headers.get('location') ?? ''
      expect((await app.open(path)).status).toBe(200)
    }),
    { numRuns },
  )
})

test('the authorization endpoint leads to the consent page or nowhere', async () => {
  const query = authorizeQuery({ client_id: app.client.client_id, code_challenge: pkcePair().challenge })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('', `${query}&`), pairs, async (first, list) => {
      const answer = await app.open(`/oauth/authorize?${first}${textOf(list)}`)
      expect(faults).toEqual([])
      const location = answer.headers.get('location')
      if (location === null) return expect(answer.status).toBe(400)
      expect(answer.status).toBe(303)
      expect(location).toMatch(/^\/oauth\/consent\?request=oar_/)
      expect(location).toMatch(/^[\x21-\x7e]+$/)
    }),
    { numRuns },
  )
})
