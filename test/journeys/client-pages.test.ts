import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { clientCommand, runProgram, startClient } from '../support/clients'
import { testWith } from '../support/needs'
import { pkcePair } from '../support/oauth-app'
import { type SignedInPerson, signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import { freePort } from '../support/programs'

const root = join(import.meta.dir, '../..')

let product: RunningProduct
let owner: SignedInPerson
beforeAll(async () => {
  product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
  owner = await signIn(product)
}, 90_000)
afterAll(() => product?.[Symbol.asyncDispose]())

/** The code of a page in one language, with the address and the key of the product that runs. */
async function blocks(page: string, language: string): Promise<string[]> {
  const text = await Bun.file(join(root, 'docs/agents/clients', `${page}.md`)).text()
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  const found = [...text.matchAll(fence)].map((match) => String(match[1]))
  expect({ page, language, found: found.length > 0 }).toEqual({ page, language, found: true })
  const { api_url, agent_key } = product.facts
  return found.map((block) =>
    block.replaceAll('http://localhost:3000', api_url).replaceAll('<agent key>', agent_key),
  )
}

const questionForm = /http:\/\/localhost:\d+\/oauth\/authorize\?[^\s"']+/

describe('curl', () => {
  testWith('curl')(
    'with the key',
    async () => {
      for (const block of await blocks('curl', 'sh')) {
        const script = block.replaceAll(/^curl /gm, 'curl -sS --fail-with-body --max-time 20 -w "\\n" ')
        const { code, stdout, stderr } = await runProgram(['sh', '-ec', script])
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        for (const line of stdout.trim().split('\n')) {
          const { result } = JSON.parse(line)
          expect(result.tools ?? result.content).toBeTruthy()
        }
      }
    },
    90_000,
  )

  testWith('curl', 'openssl', 'sed')(
    'with a browser',
    async () => {
      const script = (await blocks('curl', 'sh oauth'))
        .join('echo\n')
        .replace("code='<code>'", 'read -r code')
      const tried = 'echo\ncurl -s "$base/api/surface" -H "Authorization: Bearer $access"'
      const whole = `base=${product.facts.api_url}\n${script}${tried}`
      await using shell = startClient(['sh', '-c', whole], { PATH: process.env.PATH ?? '' })
      const answer = await owner.decide(await shell.address(questionForm))
      expect(answer.href).toStartWith('http://localhost/?code=')
      shell.type(answer.searchParams.get('code') ?? '')
      expect(await shell.ended).toBe(0)
      expect(shell.output()).toContain(product.facts.workspace_id)
      // The page ends by revoking what it got.
      expect(shell.output().trim().split('\n').at(-1)).toContain('"code":"unauthenticated"')
    },
    90_000,
  )
})

describe('TypeScript', () => {
  test('with the key', async () => {
    const [program = ''] = await blocks('typescript', 'ts')
    const env = { RENOWN_AGENT_KEY: product.facts.agent_key }
    const { code, stdout, stderr } = await runProgram([process.execPath, '-e', program], { cwd: root, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(product.facts.workspace_id)
  }, 90_000)

  test('with a browser', async () => {
    const [program = ''] = await blocks('typescript', 'ts oauth')
    const moved = program.replaceAll('8976', String(await freePort()))
    await using app = startClient([process.execPath, '-e', moved])
    const answer = await owner.decide(await app.address(questionForm))
    expect((await fetch(answer)).ok).toBe(true)
    expect(await app.ended).toBe(0)
    expect(app.output()).toContain(product.facts.workspace_id)
  }, 90_000)
})

/** Connects as a client would that was set up so. */
async function connects(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const { tools } = await client.listTools()
  await client.close()
  return tools.length > 0
}

/** A server as the files of Cursor and VS Code name it. */
interface Server {
  readonly url?: string
  readonly headers?: Record<string, string>
  readonly command?: string
  readonly args?: string[]
  readonly env?: Record<string, string>
}

const serversIn = async (page: string) =>
  (await blocks(page, 'json')).map((block) => {
    const { mcpServers, servers } = JSON.parse(block) as Record<string, { renown: Server } | undefined>
    return (mcpServers ?? servers)?.renown as Server
  })

test('VS Code: the file without a key is asked to sign in, and the file with one connects', async () => {
  const [open, keyed] = await serversIn('vscode')
  await expect(connects(String(open?.url))).rejects.toThrow()
  const headers = { Authorization: String(keyed?.headers?.Authorization) }
  const key = headers.Authorization.replace(/\$\{input:renown-key\}/, product.facts.agent_key)
  expect(await connects(String(keyed?.url), { Authorization: key })).toBe(true)
}, 90_000)

test('Cursor: the file without a key is asked to sign in', async () => {
  const [open] = await serversIn('cursor')
  await expect(connects(String(open?.url))).rejects.toThrow()
}, 90_000)

testWith('MCP clients')(
  'Cursor: mcp-remote connects with the file that has a key',
  async () => {
    const [, keyed] = await serversIn('cursor')
    const [flag, program, ...words] = keyed?.args ?? []
    expect([keyed?.command, flag]).toEqual(['npx', '-y'])
    const { dependencies } = await Bun.file(join(root, 'test/support/clients/package.json')).json()
    expect(program).toBe(`mcp-remote@${dependencies['mcp-remote']}`)
    const command = clientCommand('mcp-remote')
    await using remote = startClient([...command, ...words], { HOME: product.dataDir, ...keyed?.env })
    const clientInfo = { name: 'tests', version: '1.0.0' }
    await remote.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    remote.tell('notifications/initialized')
    const called = await remote.ask('tools/call', { name: 'whoami', arguments: {} })
    expect(JSON.stringify(called)).toContain(product.facts.workspace_id)
  },
  90_000,
)

test('Codex: both ways name the same address, and the variable holds the key', async () => {
  const [open, keyed] = (await blocks('codex', 'toml')).map(
    (block) =>
      (Bun.TOML.parse(block) as { mcp_servers: { renown: Record<string, string> } }).mcp_servers.renown,
  )
  expect(open).toEqual({ url: `${product.facts.api_url}/api/mcp` })
  const exported = (await blocks('codex', 'sh')).join('\n')
  const key = new RegExp(`export ${keyed?.bearer_token_env_var}='([^']+)'`).exec(exported)?.[1]
  expect(await connects(String(keyed?.url), { Authorization: `Bearer ${key}` })).toBe(true)
}, 90_000)

test('Claude Code: the command with a key names what connects', async () => {
  const [open, keyed] = await blocks('claude', 'sh')
  const words = /^claude mcp add --transport http renown (\S+)(?: --header "Authorization: ([^"]+)")?$/m
  expect<unknown>(words.exec(String(open))?.slice(1)).toEqual([`${product.facts.api_url}/api/mcp`, undefined])
  const [, url = '', authorization = ''] = words.exec(String(keyed)) ?? []
  expect(await connects(url, { Authorization: authorization })).toBe(true)
}, 90_000)

test('ChatGPT: the connector signs in without a client id, reads alone with readonly=1, and is told what the page says', async () => {
  const page = await Bun.file(join(root, 'docs/agents/clients/chatgpt.md')).text()
  const { api_url } = product.facts
  const inPage = (address: string) => {
    expect(page).toContain(address)
    return address.replace('https://renown.example.com', api_url)
  }
  const found = await fetch(inPage('https://renown.example.com/.well-known/oauth-protected-resource'))
  expect(await found.json()).toMatchObject({ resource: inPage('https://renown.example.com/api/mcp') })
  const redirect_uri = 'https://chatgpt.com/connector_platform_oauth_redirect'
  const registered = await fetch(`${api_url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'ChatGPT',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id = '' } = (await registered.json()) as Record<string, string>
  const { challenge, verifier } = pkcePair()
  const asked = {
    response_type: 'code',
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${api_url}/api/mcp`,
  }
  const question = (id: string) =>
    `${api_url}/oauth/authorize?${new URLSearchParams({ ...asked, client_id: id })}`
  const answer = await owner.decide(question(client_id))
  const taken = await fetch(`${api_url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri,
      client_id,
      code_verifier: verifier,
    }),
  })
  const { access_token } = (await taken.json()) as Record<string, string>
  const list = async (address: string) => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const { result } = (await response.json()) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }
  expect(await list(`${api_url}/api/mcp`)).toContain('generateReviewReply')
  expect(page).toContain('…/api/mcp?readonly=1')
  expect(await list(`${api_url}/api/mcp?readonly=1`)).not.toContain('generateReviewReply')
  const unknown = await fetch(question('ocl_unknown'))
  const [, words = ''] = /\| "(Renown does not know[^"]+)" \|/.exec(page) ?? []
  expect((await unknown.text()).toLowerCase()).toContain(words.toLowerCase() || 'no words')
}, 90_000)

test('every page says what to do when it goes wrong, and is in the list', async () => {
  const index = await Bun.file(join(root, 'docs/agents/clients/README.md')).text()
  for (const page of ['claude', 'chatgpt', 'cursor', 'vscode', 'codex', 'curl', 'typescript']) {
    const text = await Bun.file(join(root, 'docs/agents/clients', `${page}.md`)).text()
    expect({ page, helps: text.includes('| What goes wrong |') }).toEqual({ page, helps: true })
    expect(index).toContain(`(${page}.md)`)
  }
})
