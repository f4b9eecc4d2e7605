import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'
import { notes } from '../../support/notes-plugin'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [notes] })
})
afterAll(() => gate.stop())

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)
const many = (count: number) => Array.from({ length: count }, (_, place) => `"a${place}":1`).join(',')
const call = (args: string, name = 'list_records') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
const told = async (response: Response | Promise<Response>) => {
  const { status, code, detail } = (await (await response).json()) as Record<string, unknown>
  return `${status} ${code} ${detail}`
}
const tooDeep = '413 payload_too_large The body is nested deeper than 32 levels.'
const tooMany = '413 payload_too_large The body has more than 20,000 values.'

describe('a body with too much structure is refused before a value of it is built', () => {
  const bodies = [
    [`{"x":${arrays(50_000)}}`, tooDeep],
    [`{"x":${objects(50_000)}}`, tooDeep],
    [`{"x":${'['.repeat(100_000)}`, tooDeep],
    [`{${many(70_000)}}`, tooMany],
    [`{"ids":[${'{},'.repeat(100_000)}{}]}`, tooMany],
  ] as const

  test('by an operation', async () => {
    for (const [body, answer] of bodies) expect(await told(gate.call('countNotes', body))).toBe(answer)
  })

  test('by MCP, in whatever place of a message it stands', async () => {
    for (const [body, answer] of bodies) {
      for (const message of [body, call(body), call(`{"entity":"Note","q":${body}}`), `[${body}]`])
        expect(await told(gate.ask('/api/mcp', { method: 'POST', body: message }))).toBe(answer)
    }
  })

  test('by the registration of an app', async () => {
    const answer = await gate.ask('/oauth/register', {
      method: 'POST',
      key: null,
      body: `{"redirect_uris":${arrays(10_000)}}`,
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: 'invalid_client_metadata',
        error_description: 'The body is nested deeper than 32 levels',
      },
    ])
  })

  test('by a filter and a cursor', async () => {
    const q = encodeURIComponent(objects(1_000))
    expect(await told(gate.ask(`/api/entities/Note?q=${q}`))).toStartWith('422 invalid_filter')
    const cursor = Buffer.from(arrays(4_000)).toString('base64url')
    expect(await told(gate.ask(`/api/entities/Note?cursor=${cursor}`))).toStartWith('422 invalid_parameter')
  })
})

describe('limits count before a body is read:', () => {
  /** A body that says whether somebody has begun to read it. */
  function watched(text: string) {
    const state = { isRead: false }
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          state.isRead = true
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return { state, stream }
  }

  const post = async (one: Gate, path: string, type: string, body: ReadableStream) => {
    const headers = {
      authorization: `Bearer ${one.tenant.key}`,
      'content-type': type,
      host: 'localhost:3000',
    }
    const request = new Request(`http://localhost:3000${path}`, { method: 'POST', headers, body })
    return (await one.gateway.fetch(request, () => '198.51.100.9')).status
  }

  const form = 'application/x-www-form-urlencoded'
  const limited = (name: string, quota: string) => ({ [`LIMIT_${name}`]: quota })
  const both = { ...limited('READS_PER_MINUTE', '1'), ...limited('OPERATIONS_PER_MINUTE', '1') }

  test.each([
    ['/api/functions/countNotes', 'application/json', '{}', limited('OPERATIONS_PER_MINUTE', '2'), 2],
    ['/api/mcp', 'application/json', '{"method":"tools/call"}', both, 2],
    ['/oauth/token', form, '&'.repeat(999), limited('TOKENS_PER_MINUTE', '1'), 64],
    ['/oauth/register', 'application/json', '{', limited('REGISTRATIONS_PER_HOUR', '2'), 2],
  ])('%s', async (path, type, text, settings, quota) => {
    const one = await startGate({ plugins: [notes], settings })
    for (let asked = 0; asked < quota; asked++) {
      const { state, stream } = watched(text)
      await post(one, path, type, stream)
      expect(state.isRead).toBe(true)
    }
    const { state, stream } = watched(text)
    expect([await post(one, path, type, stream), state.isRead]).toEqual([429, false])
    await one.stop()
  })
})

test('a body that is not JSON in UTF-8 is refused as such', async () => {
  const post = (body: string) => gate.ask('/api/functions/countNotes', { method: 'POST', body })
  for (const body of ['{', 'no', '{"a":1'])
    expect(await told(post(body))).toBe('400 malformed_body The body is not JSON in UTF-8.')
})
