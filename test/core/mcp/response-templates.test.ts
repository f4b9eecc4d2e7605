import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ProtocolFault } from '../../../core/mcp/fault'
import { serveLegacy } from '../../../core/mcp/legacy'
import { createModern } from '../../../core/mcp/modern'
import type { RequestTools } from '../../../core/mcp/request-tools'
import {
  type Ask,
  type Call,
  createResponseTemplates,
  type ToolResult,
} from '../../../core/mcp/response-templates'
import type { SdkRequest } from '../../../core/mcp/sdk-request'
import { mcpRequest, type Revision, revisions } from '../../support/mcp'
import { quietLog } from '../../support/quiet-log'

const modern = createModern(quietLog)
const headerNames = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']

/** A call as it reaches the handler, and the SDK that answers it. */
function called(
  revision: Revision,
  name: string,
  more: { id?: unknown; args?: unknown; meta?: object } = {},
) {
  const { id = 1, args, meta } = more
  const { headers, body } = mcpRequest(revision, 'tools/call', {
    name,
    ...(args === undefined ? {} : { arguments: args }),
  })
  const params = body.params as { _meta?: object }
  if (meta) params._meta = { ...params._meta, ...meta }
  body.id = id
  const asked: SdkRequest = {
    isModern: revision === '2026-07-28',
    search: '',
    headers: headerNames.map((header) => headers[header] ?? null),
    body,
  }
  let asks = 0
  const ask: Ask = (sent, call) => {
    asks++
    const all = {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const request = new Request('http://localhost/api/mcp', { method: 'POST', headers: all })
    const tools = { listings: [], call } as unknown as RequestTools
    return asked.isModern ? modern.fetch(request, tools, sent) : serveLegacy(request, tools, sent)
  }
  return { asked, ask, asks: () => asks }
}

const toolResult = (value: Record<string, unknown>, text = JSON.stringify(value)): ToolResult => ({
  text,
  structured: { value, json: JSON.stringify(value) },
})
const telling =
  (what: ToolResult): Call =>
  async () =>
    what
/** How calls are answered that asked for structured content. */
const structured = (call: Call) => ({ call, isStructured: true })
const whole = async (response: Response) => [response.status, [...response.headers], await response.text()]

const anyValue = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value)))
const noted = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), anyValue)
/** What a client notes under the same names in one call and in the next. */
const notes = fc
  .dictionary(
    fc.oneof(fc.constantFrom('progressToken', 'traceparent', 'client/use'), fc.string({ maxLength: 8 })),
    fc.tuple(noted, noted),
    { maxKeys: 3 },
  )
  .map((both) =>
    [0, 1].map((at) => Object.fromEntries(Object.entries(both).map(([name, two]) => [name, two[at]]))),
  )

describe.each([...revisions])('a call of %s', (revision) => {
  test('is answered to the letter as the SDK answers it, whatever it asks and is told', async () => {
    const drawn = {
      id: fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.maxSafeInteger()),
      args: fc.option(anyValue, { nil: undefined }),
      // What differs from call to call, and what a client sends of its own.
      metas: notes,
      value: anyValue.filter((value) => !Object.hasOwn(value, '__proto__')),
      text: fc.string({ unit: 'binary' }),
    }
    await fc.assert(
      fc.asyncProperty(fc.record(drawn), async ({ id, args, metas, value, text }) => {
        const answer = createResponseTemplates()
        const call = telling(toolResult(value, text.toWellFormed()))
        for (const [turn, meta] of [metas[0], metas[0], metas[1], metas[0]].entries()) {
          const { asked, ask } = called(revision, 'whoami', {
            id: turn < 2 ? turn : id,
            args,
            ...(meta && Object.keys(meta).length > 0 ? { meta } : {}),
          })
          expect(await whole(await answer(asked, structured(call), ask))).toEqual(
            await whole(await ask(asked.body, call)),
          )
        }
      }),
    )
  })

  test('is judged by the SDK twice, and the tool is called once for each', async () => {
    const answer = createResponseTemplates()
    let calls = 0
    const call: Call = async (name, args) => {
      calls++
      return toolResult({ name, args })
    }
    const asks: number[] = []
    for (let id = 0; id < 5; id++) {
      const sent = called(revision, 'whoami', { id, args: { id }, meta: { progressToken: id } })
      const { result } = (await (await answer(sent.asked, structured(call), sent.ask)).json()) as {
        result: object
      }
      expect(result).toMatchObject({ structuredContent: { name: 'whoami', args: { id } } })
      asks.push(sent.asks())
    }
    expect([asks, calls]).toEqual([[1, 2, 0, 0, 0], 5])
  })

  test('that is refused, at fault or malformed is the same before and after its form is known', async () => {
    const answer = createResponseTemplates()
    const fine = telling(toolResult({ fine: true }))
    const fault: Call = () => Promise.reject(new ProtocolFault('Unknown tool'))
    const refusal = telling({ text: 'Not found.', isRefused: true })
    const seen: unknown[][] = []
    for (let turn = 0; turn < 4; turn++) {
      const sent = called(revision, 'whoami')
      if (turn === 2)
        for (let again = 0; again < 2; again++) await answer(sent.asked, structured(fine), sent.ask)
      const before = sent.asks()
      const answers = [
        await answer(sent.asked, structured(fault), sent.ask),
        await answer(sent.asked, structured(refusal), sent.ask),
      ]
      if (turn >= 2) expect(sent.asks() - before).toBe(2)
      for (const args of [null, [], 'text']) {
        const odd = called(revision, 'whoami', { args })
        answers.push(await answer(odd.asked, structured(fine), odd.ask))
      }
      seen.push(await Promise.all(answers.map(whole)))
    }
    expect(seen).toEqual([seen[0], seen[0], seen[0], seen[0]] as unknown[][])
    expect(JSON.stringify(seen[0])).toContain('isError')
  })

  test('is another form under another header, tool or name of its client', async () => {
    const answer = createResponseTemplates()
    const call = telling(toolResult({}))
    const known = called(revision, 'whoami')
    for (let turn = 0; turn < 3; turn++) await answer(known.asked, structured(call), known.ask)
    const { asked } = called(revision, 'whoami')
    const others = [
      called(revision, 'getLeads').asked,
      { ...asked, headers: [asked.headers[0] ?? null, 'tools/list', null, null] },
      { ...asked, isModern: !asked.isModern },
      called(revision, 'whoami', {
        meta: { 'io.modelcontextprotocol/clientInfo': { name: 'other', version: '2' } },
      }).asked,
      called(revision, 'whoami', { args: {} }).asked,
    ]
    for (const other of others) {
      let asks = 0
      await answer(other, structured(call), async () => {
        asks++
        return Response.json({})
      })
      expect(asks).toBe(1)
    }
  })
})
