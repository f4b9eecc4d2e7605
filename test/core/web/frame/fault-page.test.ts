import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { errorTable } from '../../../../core/contracts/errors'
import { faultPage } from '../../../../core/web/frame/fault-page'
import { renderPage } from '../../../../core/web/frame/page'
import { type Gate, startGate } from '../../../support/harness'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const host = { origin: 'http://localhost:3000' }
const titleOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

describe('of every status that the product answers', () => {
  const statuses = [...new Set(Object.values(errorTable).map(({ status }) => status))]
  test('there is a page with a title of its own', async () => {
    const titles = await Promise.all(
      statuses.map(async (status) => {
        const page = faultPage((input) => renderPage({ ...input, host }), 'id', { status, detail: 'why' })
        expect(page.status).toBe(status)
        return titleOf(await page.text())
      }),
    )
    expect(new Set(titles).size).toBe(statuses.length)
    expect(titles).not.toContain('That did not work')
  })
})

describe('a request that reaches no page', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate()
  })
  afterAll(() => gate.stop())
  const ask = (
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => gate.ask(path, { key: null, ...init, headers: { ...browser, ...init.headers } })

  test.each([
    ['/nothing', {}, 404, 'Page not found'],
    ['/docs', { method: 'POST' }, 405, 'Method not allowed'],
    [
      '/docs',
      { method: 'POST', headers: { 'content-length': '99999999' }, body: 'x' },
      413,
      'The request is too large',
    ],
    ['/app/%zz', {}, 400, 'The request is not valid'],
  ] as const)('%s %p is answered %d as a page, for a browser', async (path, init, status, title) => {
    const answer = await ask(path, init)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(titleOf(await answer.text())).toBe(title)
  })

  test('is answered as a problem for programs, and under /api for everybody', async () => {
    const type = 'application/problem+json'
    expect((await ask('/nothing', { headers: { accept: '*/*' } })).headers.get('content-type')).toBe(type)
    expect((await ask('/api/nothing')).headers.get('content-type')).toBe(type)
    expect((await ask('/oauth/nothing')).headers.get('content-type')).toBe(type)
    expect((await ask('/metrics', { method: 'POST' })).headers.get('content-type')).toBe(type)
  })

  test('keeps the headers of its status', async () => {
    expect((await ask('/docs', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
  })
})
