import { expect, test } from 'bun:test'
import { createKept } from '../../../core/mcp/kept'

const asked = (headers: Record<string, string> = {}) =>
  new Request('http://localhost/api/mcp', { method: 'POST', headers })

/** An SDK that answers what it was asked, and counts. */
function counting(status = 200) {
  const seen: unknown[] = []
  const ask = async (body: unknown) => {
    seen.push(body)
    return Response.json({ id: (body as { id: unknown }).id, result: { tools: ['…'] } }, { status })
  }
  return { seen, ask }
}

test('what never changes is asked for once, and each request gets its own id', async () => {
  const { seen, ask } = counting()
  const kept = createKept()
  for (const id of [1, 'two', 'a"b', 0]) {
    const answer = await kept.answer(asked(), false, '', { jsonrpc: '2.0', id, method: 'tools/list' }, ask)
    expect(await answer.json()).toEqual({ id, result: { tools: ['…'] } })
  }
  expect(seen.length).toBe(1)
})

test('another revision, address, header or parameter is another question', async () => {
  const { seen, ask } = counting()
  const kept = createKept()
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  await kept.answer(asked(), false, '', body, ask)
  await kept.answer(asked(), true, '', body, ask)
  await kept.answer(asked(), false, 'readonly=1', body, ask)
  await kept.answer(asked({ 'mcp-method': 'tools/call' }), false, '', body, ask)
  await kept.answer(asked(), false, '', { ...body, params: { cursor: 'x' } }, ask)
  expect(seen.length).toBe(5)
})

test('calls, notifications, refusals and odd ids are never kept', async () => {
  const { seen, ask } = counting()
  const kept = createKept()
  const bodies = [
    { id: 1, method: 'tools/call' },
    { method: 'tools/list' },
    { id: null, method: 'tools/list' },
    { id: { an: 'object' }, method: 'tools/list' },
    [{ id: 1, method: 'tools/list' }],
    null,
  ]
  for (const body of [...bodies, ...bodies])
    await kept.answer(asked(), false, '', body, async (same) => ask(same ?? {}))
  expect(seen.length).toBe(12)
  const refusing = counting(400)
  for (let turn = 0; turn < 2; turn++) {
    const body = { id: 7, method: 'tools/list' }
    const answer = await kept.answer(asked(), true, '', body, refusing.ask)
    expect([answer.status, ((await answer.json()) as { id: number }).id]).toEqual([400, 7])
  }
  expect(refusing.seen.length).toBe(2)
})
