import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type RunningProduct, startProduct } from '../support/product'
import { findProgram, skipLoudly } from '../support/programs'

const root = join(import.meta.dir, '../..')
const blocks = async (page: string, language: string) => {
  const text = await Bun.file(join(root, 'docs/clients', page)).text()
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  return [...text.matchAll(fence)].map((match) => String(match[1]))
}

let product: RunningProduct
beforeAll(async () => {
  product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
}, 60_000)
afterAll(() => product?.[Symbol.asyncDispose]())

async function run(command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, said: `${code} ${stderr}` }
}

describe('the pages for clients say what works', () => {
  test('curl', async () => {
    if (!findProgram('curl')) return skipLoudly('the page for curl', ['curl'])
    const { facts } = product
    for (const block of await blocks('curl.md', 'sh')) {
      const text = block
        .replaceAll('http://localhost:3000', facts.api_url)
        .replaceAll('<agent key>', facts.agent_key)
        .replaceAll(/^curl /gm, 'curl -sS --fail-with-body --max-time 20 -w "\\n" ')
      const { stdout, said } = await run(['sh', '-ec', text])
      expect(said).toStartWith('0 ')
      for (const line of stdout.trim().split('\n')) {
        const { result } = JSON.parse(line)
        expect(result.tools ?? result.structuredContent).toBeTruthy()
      }
    }
  }, 30_000)

  test('TypeScript', async () => {
    const [code = ''] = await blocks('typescript.md', 'ts')
    const { api_url, agent_key, workspace_id } = product.facts
    const program = code.replaceAll('http://localhost:3000', api_url)
    const { stdout, said } = await run([process.execPath, '-e', program], { RENOWN_AGENT_KEY: agent_key })
    expect(said).toStartWith('0 ')
    expect(stdout).toContain(workspace_id)
  }, 30_000)
})

test('a key that was rotated is refused at once, and the new one works', async () => {
  const { api_url, agent_key } = product.facts
  const call = async (key: string) => {
    const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${api_url}/api/mcp`), { requestInit }))
    const answer = await client.callTool({ name: 'whoami', arguments: {} })
    await client.close()
    return answer.structuredContent
  }
  expect(await call(agent_key)).toBeTruthy()
  const { stdout } = await product.renown('key', 'rotate', '--json')
  const key = /rnw_key_\w+/.exec(stdout)?.[0] ?? ''
  await expect(call(agent_key)).rejects.toThrow()
  expect(await call(key)).toBeTruthy()
}, 30_000)
