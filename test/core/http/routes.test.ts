import { expect, test } from 'bun:test'
import { startGate } from '../../support/harness'
import { notes } from '../../support/notes-plugin'

test('an answer says whether it was given before, and no cache keeps it', async () => {
  const gate = await startGate({ plugins: [notes] })
  try {
    const headers = { 'idempotency-key': 'k1' }
    const draft = () => gate.call('draftNote', { title: 'once', slug: 's1' }, { headers })
    const answers = [await draft(), await draft()]
    expect(answers.map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    for (const answer of answers) {
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('vary')).toStartWith('Authorization, X-Workspace-Id')
    }
    expect(await answers[1]?.text()).toBe((await answers[0]?.text()) ?? '')
  } finally {
    await gate.stop()
  }
})

test('records are not written, other methods and addresses are outside, and an operation takes no parameters', async () => {
  const gate = await startGate({ plugins: [notes] })
  try {
    const code = async (path: string, method: string) => {
      const answer = await gate.ask(path, { method, ...(method === 'GET' ? {} : { body: '{}' }) })
      return ((await answer.json()) as { code: string }).code
    }
    for (const path of ['/api/entities', '/api/entities/Note', '/api/entities/Note/x'])
      expect(await code(path, 'DELETE')).toBe('outside_ceiling')
    expect(await code('/api/entitiesx', 'DELETE')).toBe('outside_surface')
    expect(await code('/api/entities', 'GET')).toBe('outside_surface')
    expect(await code('/api/surface?x=1', 'GET')).toBe('unknown_parameter')
    expect(await code('/api/functions/countNotes?x=1', 'POST')).toBe('unknown_parameter')
    expect(await code('/api/functions/nothing?x=1', 'POST')).toBe('outside_surface')
    // No body is parsed before its receiver reads it.
    const posted = async (path: string, method: string, body: string) => {
      const headers = { 'content-type': 'application/json' }
      const { status } = await gate.gateway.fetch(
        new Request(`http://localhost:3000${path}`, { method, headers, body }),
        () => '203.0.113.7',
      )
      return status
    }
    for (const path of ['/p/x', '/uploads/x', '/app', '/app/x', '/oauth/authorize', '/api/mcp', '/api/mcp/'])
      expect([path, await posted(path, 'POST', '{')]).toEqual([path, await posted(path, 'POST', '{}')])
    for (const method of ['POST', 'PUT']) {
      const path = `/in/x/${'y'.repeat(40)}`
      expect(await posted(path, method, '{')).toBe(await posted(path, method, '{}'))
    }
    expect(await posted('/internal/x', 'POST', '{')).toBe(await posted('/internal/x', 'POST', '{}'))
  } finally {
    await gate.stop()
  }
})

test('an address outside of /api that is only read names the method that it takes, and others are not there', async () => {
  const gate = await startGate({ plugins: [notes] })
  try {
    const posted = async (path: string) => {
      const answer = await gate.ask(path, { method: 'POST', body: '{}' })
      return [path, answer.status, answer.headers.get('allow')]
    }
    for (const path of [
      '/',
      '/livez',
      '/readyz',
      '/healthz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs.md',
    ])
      expect(await posted(path)).toEqual([path, 405, 'GET, HEAD'])
    for (const path of ['/mcp', '/docs.md/', '/healthz/x', '/readyzz']) {
      const answer = await gate.ask(path, { method: 'POST', body: '{}' })
      const { code, hint = '' } = (await answer.json()) as { code: string; hint?: string }
      expect([path, answer.status, code]).toEqual([path, 404, 'not_found'])
      expect(hint.includes('/api/mcp')).toBe(path === '/mcp')
    }
  } finally {
    await gate.stop()
  }
})
