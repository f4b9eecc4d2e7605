import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serverAbout } from '../../../core/http/server-about'
import { type Gate, startGate } from '../../support/harness'
import { askMcp, mcpResult } from '../../support/mcp'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [] })
})
afterAll(() => gate.stop())

const read = async (path: string) => {
  const answer = await gate.ask(path, { key: null })
  return { answer, text: await answer.text() }
}

test('anybody finds the MCP server by its catalog and its card', async () => {
  const { answer, text } = await read('/.well-known/ai-catalog.json')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/ai-catalog+json'])
  const [entry] = JSON.parse(text).entries
  expect(entry).toMatchObject({ type: 'application/mcp-server-card+json', displayName: 'Renown' })
  const { pathname, hostname } = new URL(entry.url)
  const card = await read(pathname)
  expect(card.answer.status).toBe(200)
  for (const header of ['access-control-allow-origin', 'cache-control', 'content-type'])
    expect(card.answer.headers.get(header)).toBeTruthy()
  const { name, description, remotes } = JSON.parse(card.text)
  expect(name).toBe(`${hostname.split('.').reverse().join('.')}/renown`)
  expect(description.length).toBeLessThanOrEqual(100)
  // What the card names is the server itself, which asks for a credential.
  const asked = await gate.ask(new URL(remotes[0].url).pathname, { key: null, method: 'POST', body: {} })
  expect(asked.status).toBe(401)
})

test('the card and the catalog say what the server is, where, and in which revisions it speaks', async () => {
  const card = JSON.parse((await read('/api/mcp/server-card')).text)
  const catalog = JSON.parse((await read('/.well-known/ai-catalog.json')).text)
  const { origin, hostname } = new URL(card.remotes[0].url)
  const legacy = ['2025-06-18', '2025-11-25']
  const modern = '2026-07-28'
  expect(card).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${hostname.split('.').reverse().join('.')}/renown`,
    ...serverAbout,
    remotes: [
      {
        type: 'streamable-http',
        url: `${origin}/api/mcp`,
        supportedProtocolVersions: [...legacy, modern],
      },
    ],
  })
  expect(catalog).toEqual({
    specVersion: '1.0',
    entries: [
      {
        identifier: `urn:air:${hostname}:mcp:renown`,
        displayName: 'Renown',
        type: 'application/mcp-server-card+json',
        url: `${origin}/api/mcp/server-card`,
        description: serverAbout.description,
      },
      {
        identifier: `urn:air:${hostname}:skills:renown`,
        displayName: 'Skills of Renown',
        type: 'application/json',
        url: `${origin}/.well-known/agent-skills/index.json`,
        description: 'How an assistant does common tasks with the MCP server.',
      },
    ],
  })
  expect((await read(new URL(catalog.entries[1].url).pathname)).answer.status).toBe(200)
  for (const protocolVersion of legacy) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } }
    expect(await mcpResult(askMcp(gate, '2025-11-25', 'initialize', params))).toMatchObject({
      protocolVersion,
    } as object)
  }
  expect(await mcpResult(askMcp(gate, modern, 'server/discover'))).toMatchObject({
    supportedVersions: [modern],
  } as object)
})

test('a language model finds every address of the host that it may read', async () => {
  const { answer, text } = await read('/llms.txt')
  expect(answer.headers.get('content-type')).toStartWith('text/plain')
  const paths = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => new URL(url).pathname)
  expect(text).toStartWith(`# Renown\n\n> ${serverAbout.description}\n\n## Start\n\n- [MCP server](`)
  for (const path of ['/api/mcp', '/api/mcp/server-card', '/openapi.json', '/docs.md', '/docs/guides.md'])
    expect(paths).toContain(path)
  for (const path of paths) expect([200, 401, 405]).toContain((await read(path)).answer.status)
})

test('only reading the card needs no credential, and nothing beside it', async () => {
  expect((await gate.ask('/api/mcp/server-card', { key: null, method: 'POST', body: {} })).status).not.toBe(
    200,
  )
  for (const path of [
    '/api/mcp/server-card/',
    '/api/mcp/server-card%2f',
    '/api/mcp/Server-Card',
    '/api/mcp/x',
  ])
    expect((await read(path)).answer.status).toBe(401)
})
