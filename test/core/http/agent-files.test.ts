import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../support/harness'

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

test('a language model finds every address of the host that it may read', async () => {
  const { answer, text } = await read('/llms.txt')
  expect(answer.headers.get('content-type')).toStartWith('text/plain')
  const paths = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => new URL(url).pathname)
  expect(paths).toContain('/openapi.json')
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
