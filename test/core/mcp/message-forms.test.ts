import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'
import { mcpRequest, type Revision, revisions } from '../../support/mcp'
import { notes } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate?.stop())

interface Answer {
  readonly id?: unknown
  readonly result?: { readonly isError?: boolean; readonly content: { readonly text: string }[] }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Sends a call with other parameters than clients write, a few times, because answers to the same form become templates. */
async function answers(revision: Revision, change: (params: Record<string, unknown>) => unknown) {
  const { headers, body } = mcpRequest(revision, 'tools/call', { name: 'whoami' })
  const told: Answer[] = []
  for (const id of ['a', 2, 'c', 4]) {
    const params = change({ ...(body.params as object) })
    const answer = await gate.ask('/api/mcp', { method: 'POST', headers, body: { ...body, id, params } })
    const parsed = (await answer.json()) as Answer
    expect(parsed.id).toBe(id)
    told.push(parsed)
  }
  return told
}

describe.each([...revisions])('over %s', (revision) => {
  test('arguments that are null are no arguments', async () => {
    const texts = (all: readonly Answer[]) =>
      all.map(({ result }) => JSON.parse(result?.content[0]?.text ?? '{}').agency_id)
    const plain = texts(await answers(revision, (params) => params))
    expect(plain).toEqual(plain.map(() => gate.tenant.agencyId))
    expect(texts(await answers(revision, (params) => ({ ...params, arguments: null })))).toEqual(plain)
  })

  test.each([[[]], [['x']], ['text'], [''], [7], [true]])(
    'arguments that are no object are invalid parameters: %p',
    async (given) => {
      for (const { error } of await answers(revision, (params) => ({ ...params, arguments: given }))) {
        expect(error?.code).toBe(-32602)
        expect(error?.message).toContain('arguments')
      }
    },
  )

  test.each([[null], [[]], ['text'], [7]])(
    'parameters that are no object are an invalid request: %p',
    async (given) => {
      for (const { error } of await answers(revision, () => given)) {
        expect(error?.code).toBe(-32600)
        expect(error?.message).toContain('params')
      }
    },
  )

  test('a message inside of a batch, a method without parameters and other methods are told the same', async () => {
    const { headers, body } = mcpRequest(revision, 'tools/list')
    const answer = await gate.ask('/api/mcp', {
      method: 'POST',
      headers,
      body: { ...body, id: 'x', params: null },
    })
    expect(await answer.json()).toMatchObject({ id: 'x', error: { code: -32600 } })
  })
})

test('older clients that send several messages at once are told for each', async () => {
  const message = (id: number, params: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })
  const body = [
    message(1, { name: 'whoami', arguments: null }),
    message(2, { name: 'whoami', arguments: [] }),
    message(3, null),
    message(4, { name: 'whoami' }),
  ]
  const headers = { 'mcp-protocol-version': '2025-03-26' }
  const answer = await gate.ask('/api/mcp', { method: 'POST', headers, body })
  const all = (await answer.json()) as Answer[]
  const byId = new Map(all.map((one) => [one.id, one]))
  expect(
    [1, 2, 3, 4].map(
      (id) => byId.get(id)?.error?.code ?? (byId.get(id)?.result?.content ? 'answered' : 'nothing'),
    ),
  ).toEqual(['answered', -32602, -32600, 'answered'])
})
