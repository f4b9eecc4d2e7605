import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [] })
})
afterAll(() => gate.stop())

const root = (accept?: string) =>
  gate.ask('/', { key: null, headers: accept === undefined ? {} : { accept }, redirect: 'manual' } as never)

test.each([
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'application/json;q=0.9, text/html',
  'text/html, application/json',
  'text/*, application/json;q=0.5',
  'text/html;q=0.1',
])('the root leads a browser that accepts %s to the product', async (accept) => {
  const answer = await root(accept)
  expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
    302,
    '/app',
    'Accept',
  ])
})

test.each([
  undefined,
  '*/*',
  'application/json',
  'text/html;q=0, application/json',
  'text/html; q=0.0',
  'text/html;q=0.1, application/json;q=0.9',
  'text/html;q=0.5, */*',
  'text/html;q=0, text/*, */*',
])(
  'the root tells a program that accepts %s where everything is, and each address is there',
  async (accept) => {
    const answer = await root(accept)
    expect(answer.status).toBe(200)
    const { name, ...entries } = (await answer.json()) as Record<string, string>
    expect(name).toBe('Renown')
    expect(entries).toEqual({
      app: '/app',
      documentation: '/docs',
      openapi: '/openapi.json',
      surface: '/api/surface',
      mcp: '/api/mcp',
      oauth_protected_resource: '/.well-known/oauth-protected-resource/api/mcp',
      oauth_authorization_server: '/.well-known/oauth-authorization-server',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('vary')).toBe('Accept, accept-encoding')
    expect(answer.headers.get('link')?.split(', ')).toEqual([
      '</openapi.json>; rel="service-desc"; type="application/json"',
      '</docs>; rel="service-doc"; type="text/html"',
      '</app>; rel="alternate"; type="text/html"',
    ])
    expect(answer.headers.get('link')).toContain('</openapi.json>; rel="service-desc"')
    for (const path of Object.values(entries)) {
      const { status } = await gate.ask(path, { key: null })
      expect([path, [200, 302, 303, 401].includes(status)]).toEqual([path, true])
    }
  },
)

test('the reference has a way to the product', async () => {
  expect(await (await gate.ask('/docs', { key: null })).text()).toContain('<a href="/app">Open the app</a>')
})

test.each(['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs'])(
  '%s answers other methods with 405 and names its own',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await gate.ask(path, { key: null, method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
    }
  },
)
