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
])('the root leads a browser that accepts %s to the product', async (accept) => {
  const answer = await root(accept)
  expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
    302,
    '/app',
    'Accept',
  ])
})

test.each([undefined, '*/*', 'application/json', 'text/html;q=0, application/json', 'text/html; q=0.0'])(
  'the root tells a program that accepts %s where everything is, and each address is there',
  async (accept) => {
    const answer = await root(accept)
    expect(answer.status).toBe(200)
    const { name, ...entries } = (await answer.json()) as Record<string, string>
    expect(name).toBe('Renown')
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
