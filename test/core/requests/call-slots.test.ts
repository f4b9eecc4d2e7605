import { afterAll, beforeAll, expect, test } from 'bun:test'
import { defineOperation } from 'renown'
import type { Model } from 'renown/sources'
import * as v from 'valibot'
import { callsMax } from '../../../core/requests/call-slots'
import { type Gate, startGate } from '../../support/harness'
import { askMcp, mcpRequest, type ToolResult } from '../../support/mcp'
import { notes } from '../../support/notes-plugin'
import { waitFor } from '../../support/wait-for'

/** A model that answers only when a test says so, even if its caller is gone. */
const waiting: (() => void)[] = []
const model: Model = {
  isConfigured: true,
  generator: 'llm:silent',
  ask: () => new Promise((resolve) => void waiting.push(() => resolve({ text: 'late' } as never))),
}
const writeNote = defineOperation({
  name: 'writeNote',
  summary: 'Asks the model for a note',
  class: 'draft',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({ text: v.pipe(v.string(), v.description('The note')) }),
  run(ctx) {
    const task = { instructions: 'Write.', data: {}, answer: v.object({ text: v.string() }) }
    return ctx.model.ask({ ...task, name: 'note', workspace_id: ctx.workspace.id })
  },
})

let gate: Gate
beforeAll(async () => {
  const operations = [...(notes.operations ?? []), writeNote]
  const patience = { afterMs: 20, everyMs: 50 }
  gate = await startGate({ plugins: [{ ...notes, operations } as typeof notes], model, patience })
})
afterAll(() => gate.stop())

const write = (key = gate.tenant.key) =>
  askMcp(gate, '2025-11-25', 'tools/call', { name: 'writeNote', arguments: {} }, { key, headers: streams })
const streams = { accept: 'application/json, text/event-stream' }

test('a credential has a limited number of running calls, and others are answered meanwhile', async () => {
  const open: Promise<Response>[] = []
  // Some at a time, because only 100 may wait for their turn on the event loop.
  while (open.length < callsMax) {
    for (let n = 0; n < 25; n++) open.push(write())
    await waitFor(() => waiting.length === open.length, { what: 'the model was asked' })
  }
  const { result } = (await (await write()).json()) as { result: ToolResult }
  expect(result.isError).toBe(true)
  const text = result.content[0]?.text ?? ''
  expect(text).toStartWith(`Quota exceeded. ${callsMax} calls of this credential are still running. `)
  expect(text).toContain('Retry after 5 s.')
  expect(text).toContain('"violated-policies":["concurrent-calls"]')
  expect(waiting).toHaveLength(callsMax)

  // Calls of a batch count too.
  const { headers, body } = mcpRequest('2025-11-25', 'tools/call', { name: 'writeNote', arguments: {} })
  const older = { ...headers, ...streams, 'mcp-protocol-version': '2025-03-26' }
  const batch = await gate.ask('/api/mcp', {
    method: 'POST',
    body: [body, { ...body, id: 2 }],
    headers: older,
  })
  expect((await batch.text()).match(/concurrent-calls/g)?.length ?? 0).toBeGreaterThan(1)
  expect(waiting).toHaveLength(callsMax)

  // HTTP shares the limit with MCP.
  const overHttp = (key = gate.tenant.key) =>
    gate.ask('/api/functions/writeNote', { method: 'POST', key, body: {} })
  const refused = await overHttp()
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toMatchObject({
    type: expect.stringContaining('quota'),
    'violated-policies': ['concurrent-calls'],
  })

  const other = overHttp(gate.stranger.key)
  await waitFor(() => waiting.length === callsMax + 1, { what: "the stranger's call to run" })
  for (const path of ['/healthz', '/api/surface']) expect((await gate.ask(path)).status).toBe(200)

  // A client that leaves frees nothing: its work still runs.
  const left = await (open.shift() as Promise<Response>)
  await left.body?.cancel()
  expect(await (await write()).text()).toContain('concurrent-calls')

  for (const answer of waiting.splice(0)) answer()
  for (const answer of [...open, other]) expect(await (await answer).text()).toContain('late')
  const again = write()
  await waitFor(() => waiting.length === 1, { what: 'the next call to run' })
  waiting[0]?.()
  expect(await (await again).text()).toContain('late')
})
