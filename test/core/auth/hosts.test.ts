import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createHosts } from '../../../core/auth/hosts'
import { where } from '../../../core/contracts/where'
import { WhiteLabelDomain } from '../../../core/tenancy/domains/WhiteLabelDomain'
import { type Gate, startGate } from '../../support/harness'
import { part } from '../../support/part'

const domain = 'reviews.agency.example'
let gate: Gate
beforeAll(async () => {
  gate = await startGate({
    settings: { RENOWN_URL: 'https://app.example.com', TRUSTED_PROXIES: '10.0.0.0/8' },
  })
  await serveDomain('verified')
})
afterAll(() => gate.stop())

async function serveDomain(state: 'pending' | 'verified' | 'lapsed' | 'failed') {
  const { agencyId } = gate.tenant
  await gate.owner.rows(WhiteLabelDomain).removeWhere(where.eq('domain', domain))
  await gate.put(WhiteLabelDomain, { agency_id: agencyId, domain, state, token: 't' }, agencyId)
}

const at = async (host: string, { key = gate.tenant.key, path = '/api/surface', ...more } = {}) =>
  (await gate.ask(path, { key, headers: { host, ...more } })).status

test("a key works on the main host, on its own agency's domain and on the machine itself", async () => {
  for (const host of [
    'app.example.com',
    'APP.example.com:443',
    domain,
    'Reviews.Agency.example:443',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
  ]) {
    expect(await at(host)).toBe(200)
  }
})

test("a key is 401 on another agency's domain", async () => {
  expect(await at(domain, { key: gate.stranger.key })).toBe(401)
})

const unserved = [
  'evil.example',
  'app.example.com.evil.example',
  'x.app.example.com',
  `x.${domain}`,
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.999',
  'app.example.com.',
  '10.0.0.1:3000',
]

describe('any other host', () => {
  test.each(unserved)('%s is refused, with a key and without, in the words of who asks', async (host) => {
    for (const path of [
      '/api/surface',
      '/api/mcp',
      '/oauth/token',
      '/.well-known/oauth-protected-resource',
    ]) {
      for (const key of [gate.tenant.key, null]) {
        const answer = await gate.ask(path, { key, headers: { host } })
        expect(answer.status).toBe(403)
        expect(await answer.json()).toMatchObject({ code: 'host_not_served' })
      }
    }
    for (const path of ['/', '/docs', '/openapi.json', '/app/sign-in']) {
      const page = await gate.ask(path, { key: null, headers: { host } })
      expect(page.status).toBe(403)
      expect(page.headers.get('content-type')).toStartWith('text/plain')
      expect(await page.text()).not.toContain(host)
    }
  })

  test('is no matter for what watches the process', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect(await at('10.0.0.1:3000', { path })).toBe(200)
    }
    expect(await at('renown:3000', { path: '/internal/sites' })).not.toBe(403)
  })

  test('is refused to a preflight too', async () => {
    const asked = { method: 'OPTIONS', key: null, headers: { host: 'evil.example' } }
    expect((await gate.ask('/api/mcp', asked)).status).toBe(403)
  })
})

test('a domain counts from the request after its verification to the one before its removal', async () => {
  for (let round = 0; round < 3; round++) {
    for (const state of ['pending', 'failed', 'lapsed'] as const) {
      await serveDomain(state)
      expect(await at(domain)).toBe(403)
    }
    await serveDomain('verified')
    expect(await at(domain)).toBe(200)
    await gate.owner.rows(WhiteLabelDomain).removeWhere(where.eq('domain', domain))
    expect(await at(domain)).toBe(403)
    await serveDomain('verified')
    expect(await at(domain)).toBe(200)
  }
})

test('whatever the Host header holds, nothing but a known host is served', async () => {
  const known = [
    'app.example.com',
    'localhost',
    '127.0.0.1',
    '127.1.2.3',
    '[::1]',
    domain,
    'localhost:3000',
    'APP.example.com:8443',
    `${domain}:443`,
  ]
  const isKnown = (host: string) =>
    known.some(
      (one) => one.replace(/:\d+$/, '').toLowerCase() === host.replace(/:\d{1,5}$/, '').toLowerCase(),
    )
  const text = fc.stringMatching(/^[\x21-\x7e]{1,40}$/)
  const near = fc
    .tuple(fc.constantFrom(...known), text, fc.boolean())
    .map(([a, b, isFirst]) => (isFirst ? `${a}${b}` : `${b}${a}`))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(text, fc.domain(), fc.ipV4(), near, fc.constantFrom(...known)),
      async (host) => {
        const served = (await at(host)) === 200
        expect([host, served && !isKnown(host) && !/^127\./.test(host)]).toEqual([host, false])
      },
    ),
    { numRuns: 500 },
  )
})

test('what is answered on a domain names the domain, and the main host nowhere', async () => {
  for (const [path, asked] of [
    ['/api/entities/Workspace?limit=1', {}],
    ['/api/entities/Nothing', {}],
    ['/api/surface', { key: null }],
    ['/api/functions/whoami', { method: 'POST', body: { x: 1 } }],
    ['/openapi.json', { key: null }],
    ['/docs', { key: null }],
    ['/.well-known/oauth-authorization-server', { key: null }],
    ['/.well-known/oauth-protected-resource/api/mcp', { key: null }],
    ['/nowhere', { key: null }],
    [
      '/api/mcp',
      {
        method: 'POST',
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'get_record', arguments: { entity: 'Workspace', id: 'x' } },
        },
      },
    ],
  ] as const) {
    const answer = await gate.ask(path, { ...asked, headers: { host: domain } })
    const said = `${JSON.stringify([...answer.headers])}${await answer.text()}`
    expect([path, said.includes(domain), said.includes('app.example.com')]).toEqual([path, true, false])
  }
})

test('of two agencies one alone can hold a domain', async () => {
  const { agencyId } = gate.stranger
  const other = gate.put(
    WhiteLabelDomain,
    { agency_id: agencyId, domain, state: 'verified', token: 't' },
    agencyId,
  )
  await expect(other).rejects.toMatchObject({ code: 'conflict' })
})

test('X-Forwarded-Host counts where a trusted proxy sent it, the last of a chain', async () => {
  const forwarded = async (list: string, address: string, host = '10.1.2.3:3000') =>
    (await gate.ask('/api/surface', { address, headers: { host, 'x-forwarded-host': list } })).status
  expect(await forwarded(domain, '10.9.9.9')).toBe(200)
  expect(await forwarded(`evil.example, ${domain}`, '::ffff:10.9.9.9')).toBe(200)
  expect(await forwarded(`${domain}, evil.example`, '10.9.9.9')).toBe(403)
  expect(await forwarded(domain, '203.0.113.7')).toBe(403)
  expect(await forwarded('evil.example', '203.0.113.7', 'app.example.com')).toBe(200)
})

describe('without a public origin', () => {
  test('the machine itself is served by all its names, nothing else is', async () => {
    const local = await startGate()
    const status = async (host: string) => (await local.ask('/api/surface', { headers: { host } })).status
    for (const host of ['localhost:3000', 'localhost', '127.0.0.1:3000', '127.8.8.8', '[::1]:3000']) {
      expect(await status(host)).toBe(200)
    }
    for (const host of ['nas.home', '192.168.1.2:3000', '0.0.0.0:3000']) expect(await status(host)).toBe(403)
    await local.stop()
  })

  test('each of its names and ports is an issuer of its own', async () => {
    const hosts = createHosts({
      documents: gate.documents,
      config: { apiUrl: 'http://localhost:3000', TRUSTED_PROXIES: [] },
    })
    const of = async (host: string) =>
      hosts.admit(new Request('http://localhost/', { headers: { host } }), () => null)
    expect(hosts.main).toEqual({ origin: 'http://localhost:3000', kind: 'main', agency_id: null })
    expect(await of('LOCALHOST:3000')).toEqual(hosts.main)
    for (const [host, origin] of [
      ['localhost:3001', 'http://localhost:3001'],
      ['localhost', 'http://localhost'],
      ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
      ['[::1]:03000', 'http://[::1]:3000'],
    ] as const) {
      expect(await of(host)).toEqual({ origin, kind: 'loopback', agency_id: null })
    }
    expect(await of(domain)).toEqual({
      origin: `https://${domain}`,
      kind: 'white_label',
      agency_id: gate.tenant.agencyId,
    })
    expect(await of('nas.home')).toBeNull()
  })
})

test('without trusted proxies, nobody asks who sent a request', async () => {
  const asked: string[] = []
  const admitted = (proxies: readonly string[]) => {
    const hosts = createHosts({
      documents: gate.documents,
      config: part({ apiUrl: 'https://app.example.com', TRUSTED_PROXIES: proxies }),
    })
    const headers = { host: 'localhost:3000', 'x-forwarded-host': 'app.example.com' }
    return hosts.admit(new Request('http://localhost:3000/', { headers }), () => {
      asked.push('peer')
      return '10.0.0.1'
    })
  }
  expect(await admitted([])).toMatchObject({ kind: 'loopback' })
  expect(asked).toEqual([])
  expect(await admitted(['10.0.0.0/8'])).toMatchObject({ kind: 'main' })
  expect(asked).toEqual(['peer'])
})
