import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defineOperation } from 'renown'
import type { Model } from 'renown/sources'
import * as v from 'valibot'
import { type Gate, startGate } from '../../support/harness'
import { mcpRequest, revisions } from '../../support/mcp'
import { Note, notes } from '../../support/notes-plugin'
import { waitFor } from '../../support/wait-for'

/** A model that answers when the test says so, even if its caller no longer waits. */
const asked: { signal: AbortSignal | undefined; answer: (text: string) => void }[] = []
const model: Model = {
  isConfigured: true,
  generator: 'llm:slow',
  ask: ({ signal }) =>
    new Promise((resolve) => {
      asked.push({ signal, answer: (text) => resolve({ text } as never) })
    }),
}

let ended = 0
const writeNote = defineOperation({
  name: 'writeNote',
  summary: 'Asks the model for a note and saves it',
  class: 'draft',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({ id: v.pipe(v.string(), v.description('Id of the note')) }),
  async run(ctx) {
    const [before] = await ctx.rows(Note).list({ limit: 1 })
    const task = { instructions: 'Write.', data: {}, answer: v.object({ text: v.string() }) }
    const { text } = await ctx.model.ask({ ...task, name: 'note', workspace_id: ctx.workspace.id })
    const row = {
      title: `${text} ${before?.id ?? ''}`,
      stage: 'new',
      secret: 's',
      is_archived: false,
    } as const
    return ctx
      .rows(Note)
      .insert(row)
      .finally(() => {
        ended++
      })
  },
})

let gate: Gate
let url: string
beforeAll(async () => {
  gate = await startGate({
    plugins: [{ ...notes, operations: [...(notes.operations ?? []), writeNote] } as typeof notes],
    model,
  })
  url = `http://127.0.0.1:${gate.listen().port}`
})
afterAll(() => gate.stop())

const headersOf = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${gate.tenant.key}`,
  'content-type': 'application/json',
  ...more,
})
const titles = async () =>
  ((await (await gate.ask('/api/entities/Note?limit=100')).json()) as { title: string }[]).map(
    ({ title }) => title,
  )
const nextAsked = (count: number) => waitFor(() => asked.length > count, { what: 'the model was asked' })

describe('a draft whose caller no longer waits', () => {
  test('is not saved when the connection ends, whichever door it came by', async () => {
    const doors: [string, object, Record<string, string>][] = [
      ['/api/functions/writeNote', {}, {}],
      ...revisions.map((revision): [string, object, Record<string, string>] => {
        const { headers, body } = mcpRequest(revision, 'tools/call', { name: 'writeNote', arguments: {} })
        return ['/api/mcp', body, headers]
      }),
    ]
    for (const [path, body, headers] of doors) {
      const before = asked.length
      const leaving = new AbortController()
      const call = fetch(url + path, {
        method: 'POST',
        headers: headersOf(headers),
        body: JSON.stringify(body),
        signal: leaving.signal,
      }).catch(() => null)
      await nextAsked(before)
      leaving.abort()
      await call
      await waitFor(() => asked[before]?.signal?.aborted, { what: 'the model was let go' })
      const endedBefore = ended
      asked[before]?.answer('too late')
      await waitFor(() => ended > endedBefore, { what: 'the draft ended' })
    }
    expect(await titles()).toEqual([])
  })

  test('is not saved when the client cancels it by its id, and another call of that id is left alone', async () => {
    const call = (id: number) =>
      gate.ask('/api/mcp', {
        method: 'POST',
        headers: { 'mcp-protocol-version': '2025-11-25' },
        body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'writeNote', arguments: {} } },
      })
    const cancel = (requestId: number) =>
      gate.ask('/api/mcp', {
        method: 'POST',
        headers: { 'mcp-protocol-version': '2025-11-25' },
        body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
      })
    const before = asked.length
    const cancelled = call(7)
    await nextAsked(before)
    expect((await cancel(7)).status).toBe(202)
    asked[before]?.answer('too late')
    const { result } = (await (await cancelled).json()) as { result: { isError: boolean } }
    expect(result.isError).toBe(true)
    expect(await titles()).toEqual([])

    // Two clients of one credential count their requests alike. Nobody knows which of the two is meant.
    const two = [call(8), call(8)]
    await nextAsked(before + 2)
    await cancel(8)
    for (const { answer } of asked.slice(before + 1)) answer('kept')
    await Promise.all(two)
    expect((await titles()).length).toBe(2)
  })
})
