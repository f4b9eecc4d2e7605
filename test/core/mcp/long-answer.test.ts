import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { defineOperation } from 'renown'
import type { Model } from 'renown/sources'
import * as v from 'valibot'
import { type Gate, startGate } from '../../support/harness'
import { mcpRequest, revisions } from '../../support/mcp'
import { testWith } from '../../support/needs'
import { startProxy } from '../../support/nginx'
import { Note, notes } from '../../support/notes-plugin'
import { waitFor } from '../../support/wait-for'

/** How long the model takes, and whether it was let go. */
const slow = { ms: 0, aborted: 0 }
const model: Model = {
  isConfigured: true,
  generator: 'llm:slow',
  ask: ({ signal }) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        slow.aborted++
        reject(signal.reason)
      })
      setTimeout(() => resolve({ text: 'Written\nslowly' } as never), slow.ms)
    }),
}

const writeNote = defineOperation({
  name: 'writeNote',
  summary: 'Asks the model for a note and saves it',
  class: 'draft',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({ text: v.pipe(v.string(), v.description('The note')) }),
  async run(ctx) {
    const task = { instructions: 'Write.', data: {}, answer: v.object({ text: v.string() }) }
    const { text } = await ctx.model.ask({ ...task, name: 'note', workspace_id: ctx.workspace.id })
    await ctx.rows(Note).insert({ title: text, stage: 'new', secret: 's', is_archived: false })
    return { text }
  },
})

let gate: Gate
let origin: string
beforeAll(async () => {
  const operations = [...(notes.operations ?? []), writeNote]
  // A hundredth of the usual times.
  const patience = { afterMs: 30, everyMs: 50 }
  gate = await startGate({ plugins: [{ ...notes, operations } as typeof notes], model, patience })
  origin = `http://127.0.0.1:${gate.listen().port}`
})
afterAll(() => gate.stop())
beforeEach(() => {
  slow.ms = 400
})

const call = { name: 'writeNote', arguments: {} }
const notesKept = async () =>
  ((await (await gate.ask('/api/entities/Note?limit=100')).json()) as unknown[]).length

/** Calls the tool by hand, with what a client accepts. */
function post(revision: (typeof revisions)[number], more: RequestInit = {}, token?: string, at = origin) {
  const { headers, body } = mcpRequest(revision, 'tools/call', call)
  const params = body.params as { _meta?: object }
  if (token !== undefined) params._meta = { ...params._meta, progressToken: token }
  return fetch(`${at}/api/mcp`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...more,
    headers: {
      authorization: `Bearer ${gate.tenant.key}`,
      'content-type': 'application/json',
      ...headers,
      accept: 'application/json, text/event-stream',
      ...more.headers,
    },
  })
}

describe('a call that takes long', () => {
  const requestInit = () => ({ headers: { authorization: `Bearer ${gate.tenant.key}` } })
  const info = { name: 'tests', version: '1.0.0' }
  const clients = [
    [
      'the first SDK',
      async () => {
        const client = new Client(info)
        const url = new URL(`${origin}/api/mcp`)
        await client.connect(new StreamableHTTPClientTransport(url, { requestInit: requestInit() }))
        // Its second argument is the schema of the answer.
        const callTool = (...[params, options]: Parameters<ModernClient['callTool']>) =>
          client.callTool(params, undefined, options)
        return { callTool, close: () => client.close() } as unknown as ModernClient
      },
    ],
    [
      'the second SDK',
      async () => {
        const client = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
        await client.connect(
          new ModernTransport(new URL(`${origin}/api/mcp`), { requestInit: requestInit() }),
        )
        return client
      },
    ],
  ] as const

  test.each(clients)('keeps a client of %s waiting that resets its time limit', async (_, connect) => {
    const client = await connect()
    const told: { progress: number; message?: string | undefined }[] = []
    const answer = await client.callTool(call, {
      onprogress: (progress) => told.push(progress),
      timeout: 250,
      resetTimeoutOnProgress: true,
    })
    expect(JSON.stringify(answer.content)).toContain('slowly')
    expect(told.length).toBeGreaterThan(3)
    expect(told.map(({ progress }) => progress)).toEqual(
      [...new Set(told.map(({ progress }) => progress))].sort((a, b) => a - b),
    )
    expect(told.at(-1)?.message).toMatch(/^The language model is writing \(\d+ s\)$/)
    await client.close()
  })

  test.each(revisions)('in %s is a stream with comments for a client that wants no progress', async (one) => {
    const answer = await post(one)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const text = await answer.text()
    expect(text.split('\n\n').filter((line) => line.startsWith(':')).length).toBeGreaterThan(2)
    expect(text).not.toContain('notifications/progress')
    const [data] = text.match(/(?<=^data: ).*$/gm) ?? []
    expect(JSON.parse(data ?? '')).toMatchObject({ jsonrpc: '2.0', id: 1, result: { content: [{}] } })
  })

  test('is plain JSON for a client that accepts only JSON, and when it ends early', async () => {
    for (const accept of ['application/json', '*/*']) {
      const answer = await post('2025-11-25', { headers: { accept } }, 'mine')
      expect(answer.headers.get('content-type')).toContain('application/json')
    }
    slow.ms = 0
    expect((await post('2025-11-25', {}, 'mine')).headers.get('content-type')).toContain('application/json')
  })

  test.each(revisions)('in %s writes nothing when the client leaves during the stream', async (one) => {
    slow.ms = 5_000
    const before = await notesKept()
    const { aborted } = slow
    const leaving = new AbortController()
    const answer = await post(one, { signal: leaving.signal }, 'mine')
    const reader = answer.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('"progressToken":"mine"')
    leaving.abort()
    await waitFor(() => slow.aborted > aborted, { what: 'the model was let go' })
    expect(await notesKept()).toBe(before)
  })
})

testWith('nginx')(
  'nginx keeps waiting longer than its time limit, and passes progress on at once',
  async () => {
    const proxy = await startProxy(origin)
    try {
      slow.ms = 1_500
      const answer = await post('2025-11-25', {}, 'mine', proxy.url)
      const began = performance.now()
      const reader = answer.body?.getReader()
      await reader?.read()
      expect(performance.now() - began).toBeLessThan(1_000)
      let text = ''
      for (let part = await reader?.read(); part?.value; part = await reader?.read())
        text += new TextDecoder().decode(part.value)
      expect(text).toContain('slowly')
      // Without a stream, the same call ends in a gateway timeout.
      const silent = await post(
        '2025-11-25',
        { headers: { accept: 'application/json' } },
        undefined,
        proxy.url,
      )
      expect(silent.status).toBe(504)
    } finally {
      await proxy.stop()
    }
  },
)
