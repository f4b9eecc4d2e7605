import { expect, test } from 'bun:test'
import { createResponseCache } from '../../../core/mcp/response-cache'
import type { SdkRequest } from '../../../core/mcp/sdk-request'

const asked = (body: unknown, more: Partial<SdkRequest> = {}): SdkRequest => ({
  isModern: false,
  search: '',
  headers: [null, null, null, null],
  body,
  ...more,
})

/** An SDK that answers what it was asked, and counts. */
function counting(status = 200, after = '…') {
  const seen: unknown[] = []
  const ask = async (body: unknown) => {
    seen.push(body)
    const { id } = (body ?? {}) as { id: unknown }
    return Response.json({ before: '…', id, result: { tools: [after] } }, { status })
  }
  return { seen, ask }
}

test('what never changes is asked for once, and each request gets its own id', async () => {
  for (const after of ['…', '…'.repeat(5_000)]) {
    const { seen, ask } = counting(200, after)
    const cache = createResponseCache()
    const ids = [1, 'two', 'a"b', 0, '\u0001😀'.repeat(33), '', -7, 'x'.repeat(99)]
    // Side by side: an answer that is still to be sent is not written over by the next.
    const answers = []
    for (const id of ids) answers.push(await cache(asked({ jsonrpc: '2.0', id, method: 'tools/list' }), ask))
    for (const [place, id] of ids.entries()) {
      expect(await answers[place]?.json()).toEqual({ before: '…', id, result: { tools: [after] } })
    }
    expect(seen.length).toBe(1)
  }
})

test('another revision, address, header or parameter is another question', async () => {
  const { seen, ask } = counting()
  const cache = createResponseCache()
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const questions = [
    asked(body),
    asked(body, { isModern: true }),
    asked(body, { search: 'readonly=1' }),
    asked(body, { headers: [null, 'tools/call', null, null] }),
    asked({ ...body, params: { cursor: 'x' } }),
    asked({ ...body, params: { _meta: { progressToken: {} } } }),
    asked({ ...body, params: { _meta: [] } }),
    asked({ ...body, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } } }),
    asked({ ...body, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }),
  ]
  for (const question of questions) await cache(question, ask)
  expect(seen.length).toBe(questions.length)
})

test('what a client notes for itself makes no other question', async () => {
  const { seen, ask } = counting()
  const cache = createResponseCache()
  for (const progressToken of [1, 2, 3]) {
    const params = { _meta: { progressToken, 'client/use': `use-${progressToken}` } }
    await cache(asked({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }), ask)
  }
  expect(seen.length).toBe(1)
})

test('calls, notifications, refusals and odd ids are never cached', async () => {
  const { seen, ask } = counting()
  const cache = createResponseCache()
  const bodies = [
    { id: 1, method: 'tools/call' },
    { method: 'tools/list' },
    { id: null, method: 'tools/list' },
    { id: { an: 'object' }, method: 'tools/list' },
    { id: 'x'.repeat(100), method: 'tools/list' },
    { id: 1, method: 'tools/list', params: [] },
    [{ id: 1, method: 'tools/list' }],
    null,
  ]
  for (const body of [...bodies, ...bodies]) await cache(asked(body), ask)
  expect(seen.length).toBe(16)
  const refusing = counting(400)
  for (let turn = 0; turn < 2; turn++) {
    const answer = await cache(asked({ id: 7, method: 'tools/list' }, { isModern: true }), refusing.ask)
    expect([answer.status, ((await answer.json()) as { id: number }).id]).toEqual([400, 7])
  }
  expect(refusing.seen.length).toBe(2)
})
