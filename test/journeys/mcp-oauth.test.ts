import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { clientCommand, startClient } from '../support/clients'
import { runSuite } from '../support/conformance-suite'
import { testWith } from '../support/needs'
import { type AppMemory, createAppMemory } from '../support/oauth-provider'
import { type SignedInPerson, signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import { freePort } from '../support/programs'
import { registerApp } from '../support/strict-app'

let product: RunningProduct
let owner: SignedInPerson
let mcp: URL
let home: string
beforeAll(async () => {
  product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
  owner = await signIn(product)
  mcp = new URL(`${product.facts.api_url}/api/mcp`)
  home = mkdtempSync(join(tmpdir(), 'renown-clients-'))
}, 90_000)
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  if (home) rmSync(home, { recursive: true, force: true })
})

const info = { name: 'tests', version: '1.0.0' }

/** Connects as the SDK's own examples do: the first try sends the person to the browser, the second one has tokens. */
async function connect(
  memory: AppMemory,
  open: () => { client: ModernClient; transport: ModernTransport },
): Promise<ModernClient> {
  const first = open()
  try {
    await first.client.connect(first.transport)
    return first.client
  } catch (error) {
    if (!(error instanceof UnauthorizedError || error instanceof ModernUnauthorized)) throw error
  }
  const { answer } = memory
  if (!answer) throw new Error('nobody was asked')
  expect(answer.searchParams.get('state')).toBe('state-of-the-app')
  await first.transport.finishAuth(answer.searchParams)
  const second = open()
  await second.client.connect(second.transport)
  return second.client
}

const first = (memory: AppMemory) => () => {
  const transport = new StreamableHTTPClientTransport(mcp, { authProvider: memory })
  const finish = transport.finishAuth.bind(transport)
  const wrapped = Object.assign(transport, {
    finishAuth: (params: URLSearchParams) => finish(params.get('code') ?? ''),
  })
  return {
    client: new Client(info) as unknown as ModernClient,
    transport: wrapped as unknown as ModernTransport,
  }
}
const second = (mode: 'auto' | 'legacy' | { pin: string }) => (memory: AppMemory) => () => ({
  client: new ModernClient(info, { versionNegotiation: { mode } }),
  transport: new ModernTransport(mcp, { authProvider: memory }),
})

describe.each([
  ['the first SDK', first],
  ['the second SDK, as it finds the server', second('auto')],
  ['the second SDK, held to 2026-07-28', second({ pin: '2026-07-28' })],
  ['the second SDK, held to the older revisions', second('legacy')],
] as const)('an app on %s', (_, open) => {
  test('registers, asks its person once, calls, and renews in silence', async () => {
    const memory = createAppMemory(owner)
    const client = await connect(memory, open(memory))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('list_records')
    const call = () => client.callTool({ name: 'list_records', arguments: { entity: 'Workspace' } })
    expect(JSON.stringify((await call()).content)).toContain(product.facts.workspace_id)
    // As if the access token had ended: the app is told so, and has a refresh token.
    const before = memory.kept.tokens
    memory.kept.tokens = { ...before, access_token: 'rnw_at_ended' } as NonNullable<typeof before>
    expect((await call()).isError).toBeUndefined()
    expect(memory.kept.tokens?.refresh_token).not.toBe(before?.refresh_token)
    expect(memory.questions.length).toBe(1)
    await client.close()
  }, 90_000)
})

test('an app on the second SDK asks for writing when it needs it, and goes on', async () => {
  const memory = createAppMemory(owner, [{ readOnly: true }])
  const open = second('auto')(memory)
  const client = await connect(memory, open)
  expect(memory.kept.tokens?.scope).toBe('read')
  const write = {
    name: 'markNotificationsRead',
    arguments: { notification_ids: ['ntf_none'], dry_run: true },
  }
  await expect(client.callTool(write)).rejects.toThrow()
  expect(memory.questions[1]?.searchParams.get('scope')).toContain('read write')
  const asked = open()
  await asked.transport.finishAuth(memory.answer?.searchParams as never)
  await asked.client.connect(asked.transport)
  expect(memory.kept.tokens?.scope).toBe('read write')
  expect(JSON.stringify((await asked.client.callTool(write)).content)).toContain('dry_run')
  await asked.client.close()
  await client.close()
}, 90_000)

const authorizeForm = /http:\/\/localhost:\d+\/oauth\/authorize\?[^\s"']+/

testWith('MCP clients')(
  'mcp-remote, for programs that speak by standard input alone',
  async () => {
    const command = clientCommand('mcp-remote')
    const port = await freePort()
    const words = [mcp.href, String(port), '--transport', 'http-only']
    await using remote = startClient([...command, ...words], { HOME: home, MCP_REMOTE_CONFIG_DIR: home })
    const answer = await owner.decide(await remote.address(authorizeForm))
    expect(answer.port).toBe(String(port))
    expect((await fetch(answer)).ok).toBe(true)
    const clientInfo = { name: 'tests', version: '1.0.0' }
    const hello = await remote.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    })
    expect(JSON.stringify(hello)).toContain('"renown"')
    remote.tell('notifications/initialized')
    const called = await remote.ask('tools/call', { name: 'whoami', arguments: {} })
    expect(JSON.stringify(called)).toContain(product.facts.workspace_id)
  },
  90_000,
)

testWith('MCP clients').each(['legacy', 'modern'])(
  "MCP Inspector's command line, %s",
  async (era) => {
    const command = clientCommand('mcp-inspector')
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
    const words = [
      '--cli',
      mcp.href,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--callback-url',
      callback,
    ]
    const call = ['--method', 'tools/call', '--tool-name', 'whoami', '--format', 'json']
    const env = { HOME: join(home, era), MCP_AUTO_OPEN_ENABLED: 'true' }
    await using inspector = startClient([...command, ...words, ...call], env)
    const answer = await owner.decide(await inspector.address(authorizeForm))
    expect(answer.href).toStartWith(callback)
    expect((await fetch(answer)).ok).toBe(true)
    expect(await inspector.ended).toBe(0)
    expect(inspector.output()).toContain(product.facts.workspace_id)
  },
  90_000,
)

testWith('MCP clients')(
  'the official suite of conformance, as it asks an authorization server',
  async () => {
    const command = clientCommand('conformance')
    const port = await freePort()
    const app = await registerApp(product.facts.api_url, 'none', `http://127.0.0.1:${port}/callback`)
    const words = ['authorization', '--url', product.facts.api_url, '--client-id', app.client.client_id]
    const { checks, output } = await runSuite(command, [...words, '-p', String(port)], async (suite) =>
      fetch(await owner.decide(await suite.address(authorizeForm))),
    )
    const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    expect(bad).toEqual([])
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, output).toBeGreaterThan(2)
  },
  90_000,
)
