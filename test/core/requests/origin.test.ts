import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createOrigins } from '../../../core/requests/origin'
import { type Gate, startGate } from '../../support/harness'
import { mcpRequest } from '../../support/mcp'

const main = 'renown.example.com'
let gate: Gate
beforeAll(async () => {
  gate = await startGate({ settings: { RENOWN_URL: `https://${main}` } })
})
afterAll(() => gate.stop())

const { headers, body } = mcpRequest('2025-11-25', 'tools/list')
const names = [
  main,
  'localhost',
  '127.0.0.1',
  '[::1]',
  'evil.example',
  'renown',
  'example.com',
  '127.0.0.1.nip.io',
  '0x7f.1',
]
const joints = ['.', ':', '@', '-', '%2e', '#', '?', '/', ' ', '', ':443', ':3000', ':99999', '%00', '\\']

/** What looks like a host of ours, is one by chance, or is none. */
const lookalikes = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('localhost:3000', '127.0.0.1:8080', '[::1]', main) },
  {
    weight: 4,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...joints)), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.flat().join('')),
  },
)

/** Told without a look at the product: a literal loopback name with a port or none. */
const isLoopback = (host: string) =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host) &&
  Number(/:(\d+)$/.exec(host)?.[1] ?? 0) < 65_536

test('a page may speak to MCP from the own host and from the machine itself, and from nowhere that looks like them', async () => {
  const told = { allowed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('http', 'https', 'null', 'file'), lookalikes, async (scheme, name) => {
      const origin = `${scheme}://${name}`
      if (!/^[\x21-\x7e]+$/.test(origin)) return
      const isOwn = origin === `https://${main}`
      // No browser names the port that goes without saying.
      const isUsual = scheme === 'https' && name.endsWith(':443')
      const isAllowed = isOwn || (/^https?$/.test(scheme) && isLoopback(name) && !isUsual)
      const answer = await gate.ask('/api/mcp', {
        method: 'POST',
        body,
        headers: { ...headers, host: main, origin },
      })
      const readable = answer.headers.get('access-control-allow-origin')
      expect({ origin, status: answer.status, readable }).toEqual({
        origin,
        status: isAllowed ? 200 : 403,
        readable: isAllowed ? origin : null,
      })
      if (isAllowed) expect(answer.headers.get('vary')).toContain('Origin')
      told[isAllowed ? 'allowed' : 'refused']++
    }),
    { numRuns: 600 },
  )
  expect(Math.min(...Object.values(told))).toBeGreaterThan(5)
})

test('an origin of the machine has to be one of the web', async () => {
  const statusOf = async (origin: string) =>
    (await gate.ask('/api/mcp', { method: 'POST', body, headers: { ...headers, host: main, origin } })).status
  for (const scheme of ['ftp', 'ws', 'wss'])
    for (const host of ['localhost', '127.0.0.1:8080'])
      expect([scheme, await statusOf(`${scheme}://${host}`)]).toEqual([scheme, 403])
  expect(await statusOf('http://localhost')).toBe(200)
})

test('no host that looks like one of ours is served, whatever the credential', async () => {
  const told = { served: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(lookalikes, fc.boolean(), async (host, hasKey) => {
      if (!/^[\x21-\x7e]+$/.test(host)) return
      const isServed = isLoopback(host) || /^renown\.example\.com(:\d{1,5})?$/.test(host)
      const answer = await gate.ask('/api/mcp', {
        method: 'POST',
        body,
        headers: { ...headers, host },
        ...(hasKey ? {} : { key: null }),
      })
      const text = await answer.text()
      if (isServed) {
        told.served++
        expect({ host, status: answer.status }).toEqual({ host, status: hasKey ? 200 : 401 })
      } else {
        told.refused++
        expect([400, 403, ...(hasKey ? [] : [401])]).toContain(answer.status)
        expect(text).not.toContain('"result"')
      }
    }),
    { numRuns: 600 },
  )
  expect(Math.min(...Object.values(told))).toBeGreaterThan(5)
})

test('a preflight names what a page may send, and an answer what it may read', async () => {
  const origin = 'http://localhost:6274'
  const preflight = await gate.ask('/api/mcp', {
    method: 'OPTIONS',
    key: null,
    headers: { origin, host: main },
  })
  expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
    204,
    {
      allow: 'POST, OPTIONS',
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers':
        'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-workspace-id, x-request-id',
      'access-control-max-age': '600',
      'access-control-expose-headers':
        'www-authenticate, mcp-session-id, retry-after, x-request-id, ratelimit, ratelimit-policy',
    },
  ])
})

test('a page of the white-label host that is called may speak to it, and none of another one', () => {
  const origins = createOrigins({ apiUrl: 'https://renown.example.com/base' })
  const host = { kind: 'white_label', origin: 'https://brand.example' } as never
  const asked = (origin: string | null, on: typeof host | null) => {
    const request = new Request('http://localhost/', { headers: origin === null ? {} : { origin } })
    let isRefused = false
    try {
      origins.check(request, on)
    } catch (error) {
      isRefused = true
      expect(error).toMatchObject({ code: 'origin_not_allowed' })
    }
    return [isRefused, origins.headers(request, on)['access-control-allow-origin']]
  }
  expect(asked('https://brand.example', host)).toEqual([false, 'https://brand.example'])
  expect(asked('https://renown.example.com', host)).toEqual([false, 'https://renown.example.com'])
  expect(asked('https://renown.example.com', null)).toEqual([false, 'https://renown.example.com'])
  expect(asked('https://other.example', host)).toEqual([true, undefined])
  expect(asked('https://brand.example', null)).toEqual([true, undefined])
  expect(asked(null, null)).toEqual([false, undefined])
})
