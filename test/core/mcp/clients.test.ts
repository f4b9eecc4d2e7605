import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'

let gate: Gate
let url: URL
beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, notes] })
  await gate.put(Note, { ...aNote, title: 'Read me' })
  url = new URL(`http://127.0.0.1:${gate.listen().port}/api/mcp?structured=1`)
})
afterAll(() => gate.stop())

const info = { name: 'tests', version: '1.0.0' }
const requestInit = () => ({ headers: { authorization: `Bearer ${gate.tenant.key}` } })

const clients = [
  [
    'the first SDK',
    async () => {
      const client = new Client(info)
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: requestInit() }))
      return client as unknown as ModernClient
    },
  ],
  ['the second SDK, as it finds the server', () => modern({ mode: 'auto' })],
  ['the second SDK, held to 2026-07-28', () => modern({ mode: { pin: '2026-07-28' } })],
  ['the second SDK, held to the older revisions', () => modern({ mode: 'legacy' })],
] as const

async function modern(versionNegotiation: { mode: 'auto' | 'legacy' | { pin: string } }) {
  const client = new ModernClient(info, { versionNegotiation })
  await client.connect(new ModernTransport(url, { requestInit: requestInit() }))
  return client
}

describe.each(clients)('a client of %s', (_, connect) => {
  test('lists and calls tools, reads resources, and takes a prompt', async () => {
    const client = await connect()
    expect(client.getServerVersion()?.name).toBe('renown')
    expect(client.getInstructions()).toContain('list_workspaces')
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['list_records', 'listLeadsWithMentions', 'draftNote']))
    // The client checks structuredContent against the output schema that it listed.
    const listed = await client.callTool({ name: 'list_records', arguments: { entity: 'Note' } })
    const { rows, untrusted } = listed.structuredContent as { rows: { title: string }[]; untrusted: string }
    const [, tag] = /<(\w{5})>/.exec(untrusted) ?? []
    expect(rows[0]?.title).toBe(`<${tag}>Read me</${tag}>`)
    const counted = await client.callTool({ name: 'countNotes', arguments: {} })
    expect(counted.structuredContent).toEqual({ count: 1 })
    const described = await client.callTool({ name: 'describe_records', arguments: { entity: 'Lead' } })
    expect(JSON.stringify(described.structuredContent)).toContain('intent_score')
    const { resources } = await client.listResources()
    const lead = resources.find(({ name }) => name === 'Lead')
    const read = await client.readResource({ uri: String(lead?.uri) })
    expect(JSON.stringify(read.contents)).toContain('intent_score')
    const { prompts } = await client.listPrompts()
    const prompt = await client.getPrompt({ name: prompts[0]?.name ?? '', arguments: {} })
    expect(prompt.messages.length).toBeGreaterThan(0)
    await client.close()
  })

  test('hears a refusal as text, and a tool that is none as an error', async () => {
    const client = await connect()
    await client.listTools()
    const refused = await client.callTool({ name: 'countNotes', arguments: { stage: 'gone' } })
    expect(refused.isError).toBe(true)
    expect(refused.structuredContent).toBeUndefined()
    expect(JSON.stringify(refused.content)).toContain('invalid_field')
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(/Unknown tool/)
    await client.close()
  })
})

test('a client without a key is told so', async () => {
  const client = new ModernClient(info)
  await expect(client.connect(new ModernTransport(url))).rejects.toThrow()
})
