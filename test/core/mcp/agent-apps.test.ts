import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { withCore } from '../../../core/product/core-plugins'
import { createAgentApps } from '../../../core/web/framework/agent-apps/build'
import { builtin } from '../../../plugins/index'
import { type Gate, startGate } from '../../support/harness'
import { askMcp, mcpResult, type Revision, revisions } from '../../support/mcp'
import { sharedRegistry } from '../../support/shared-registry'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: builtin })
})
afterAll(() => gate.stop())

const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const shown = {
  getAiTrafficSummary: 'ui://renown/crawler-chart',
  getVisibilitySummary: 'ui://renown/visibility-intervals',
  listReviewsNeedingResponse: 'ui://renown/review-inbox',
}

interface Listed {
  readonly tools: {
    readonly name: string
    readonly _meta?: { readonly ui: { readonly resourceUri: string } }
  }[]
}
interface Resource {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
  readonly _meta?: { readonly ui: { readonly csp: object } }
}

const initialize = (capabilities: object) =>
  askMcp(gate, '2025-11-25', 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'tests', version: '1.0.0' },
  })

/** Asks as a client that shows apps does in its revision: with a session id, or with capabilities in each request. */
async function asApp<T>(
  revision: Revision,
  method: string,
  params: Record<string, unknown> = {},
): Promise<T> {
  if (revision === '2025-11-25') {
    const sessionId = (await initialize({ extensions })).headers.get('mcp-session-id') ?? ''
    return mcpResult(askMcp(gate, revision, method, params, { headers: { 'mcp-session-id': sessionId } }))
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': { extensions },
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1.0.0' },
  }
  const headers: Record<string, string> = { 'mcp-protocol-version': revision, 'mcp-method': method }
  if (method === 'resources/read') headers['mcp-name'] = String(params.uri)
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  return mcpResult(gate.ask('/api/mcp', { method: 'POST', headers, body }))
}

describe.each([...revisions])('a client of %s', (revision) => {
  test('that shows apps sees which tools have one, and others see the list as it was', async () => {
    const { tools } = await asApp<Listed>(revision, 'tools/list')
    const withApp = tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta.ui.resourceUri]] : []))
    expect(Object.fromEntries(withApp)).toEqual(shown)
    const others = await mcpResult<Listed>(askMcp(gate, revision, 'tools/list'))
    expect(others.tools).toEqual(tools.map(({ _meta, ...tool }) => tool))
    expect(JSON.stringify(others)).not.toContain('ui://')
    const { resources } = await asApp<{ resources: Resource[] }>(revision, 'resources/list')
    expect(resources.filter(({ uri }) => uri.startsWith('ui:')).map(({ uri }) => uri)).toEqual(
      Object.values(shown).sort(),
    )
    const plain = await mcpResult<{ resources: Resource[] }>(askMcp(gate, revision, 'resources/list'))
    expect(plain.resources.filter(({ uri }) => uri.startsWith('ui:'))).toEqual([])
  })

  test('reads pages that load nothing, call nothing and run only their own script', async () => {
    for (const uri of Object.values(shown)) {
      const { contents } = await asApp<{ contents: Resource[] }>(revision, 'resources/read', { uri })
      const { text = '', mimeType, _meta } = contents[0] ?? {}
      expect(mimeType).toBe('text/html;profile=mcp-app')
      const none = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
      expect(_meta?.ui.csp).toEqual(none)
      expect(text.length).toBeLessThan(150_000)
      const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text) ?? []
      const hashOf = (tag: string) => {
        const [, body = ''] = new RegExp(`<${tag}(?: type="module")?>([\\s\\S]*?)</${tag}>`).exec(text) ?? []
        return `'sha256-${new Bun.CryptoHasher('sha256').update(body).digest('base64')}'`
      }
      expect(policy).toBe(
        `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; base-uri 'none'; form-action 'none'`,
      )
      expect(text.match(/<[a-z]+[^>]* (?:on[a-z]+|src|href)=/g) ?? []).toEqual([])
      expect(text).not.toContain('innerHTML="')
    }
    const unknown = asApp(revision, 'resources/read', { uri: 'ui://renown/none' })
    await expect(unknown).rejects.toThrow('Resource not found')
  })
})

test('only clients that say so in their first request get a session id', async () => {
  const idOf = async (capabilities: object) => (await initialize(capabilities)).headers.get('mcp-session-id')
  expect(await idOf({ extensions })).toMatch(/^apps-[0-9a-f-]{36}$/)
  const others = [{}, { extensions: {} }, { extensions: { 'io.modelcontextprotocol/ui': {} } }]
  for (const capabilities of others) expect(await idOf(capabilities)).toBeNull()
  const odd = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } } }
  expect(await idOf(odd)).toBeNull()
})

test('the app of a plugin that is not loaded is not listed', async () => {
  const plugins = builtin.filter(({ name }) => !needTraffic.includes(name))
  const { listed, read } = createAgentApps(sharedRegistry(withCore(plugins)))
  expect(listed.map(({ name }) => name).sort()).toEqual(['review-inbox', 'visibility-intervals'])
  expect(
    await read('ui://renown/crawler-chart', { origin: 'https://example.com', workspaceId: null }),
  ).toBeNull()
})

const needTraffic = ['traffic', 'wordpress', 'prospects']
