import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type RunningProduct, startProduct } from '../support/product'

let product: RunningProduct
beforeAll(async () => {
  product = await startProduct({ env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' } })
}, 90_000)
afterAll(() => product?.[Symbol.asyncDispose]())

test('a key that was rotated is refused at once, and the new one works', async () => {
  const { api_url, agent_key } = product.facts
  const call = async (key: string) => {
    const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${api_url}/api/mcp?structured=1`), { requestInit }),
    )
    const answer = await client.callTool({ name: 'whoami', arguments: {} })
    await client.close()
    return answer.structuredContent
  }
  expect(await call(agent_key)).toBeTruthy()
  const { stdout } = await product.renown('key', 'rotate', '--json')
  const key = /rnw_key_\w+/.exec(stdout)?.[0] ?? ''
  await expect(call(agent_key)).rejects.toThrow()
  expect(await call(key)).toBeTruthy()
}, 90_000)
