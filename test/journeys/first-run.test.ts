import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from '../support/product'
import { soonMs, waitFor } from '../support/wait-for'

/** No network: the lists are taken from nowhere, so that every verdict is `unchecked`. */
const env = { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'info' }
const keys = [
  'api_url',
  'ingest_url',
  'agency_id',
  'workspace_id',
  'location_id',
  'site_id',
  'site_key',
  'agent_key',
  'owner_link',
  'forwarder_token',
]

describe('from nothing to a daily row', () => {
  let root: string
  let dataDir: string
  let product: RunningProduct
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'renown-first-'))
    dataDir = join(root, 'data')
    product = await startProduct({ env, dataDir })
  }, 90_000)
  afterAll(async () => {
    await product[Symbol.asyncDispose]()
    rmSync(root, { recursive: true, force: true })
  })

  const rows = async () => {
    const query = new URLSearchParams({ q: JSON.stringify({ site_id: product.facts.site_id }) })
    const response = await fetch(`${product.facts.api_url}/api/entities/AiTrafficDaily?${query}`, {
      headers: { authorization: `Bearer ${agentKey}` },
    })
    expect(response.status).toBe(200)
    return (await response.json()) as { crawler_hits: number; unchecked_hits: number }[]
  }
  let agentKey = ''

  test('the first run says where it is and hands out its secrets, in one line of JSON', () => {
    const line =
      product
        .output()
        .split('\n')
        .find((text) => text.includes('"ingest_url"')) ?? ''
    expect(Object.keys(JSON.parse(line))).toEqual(keys)
    expect(Object.values(product.facts).every((value) => value.length > 0)).toBe(true)
    agentKey = product.facts.agent_key
  })

  test('both ports answer and the data folder is the owner’s alone', async () => {
    for (const url of [product.facts.api_url, product.facts.ingest_url]) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'renown.sock')).mode & 0o777).toBe(0o600)
  })

  test('a hit that was answered 2xx stands in the row of today within 10 s', async () => {
    const response = await fetch(`${product.facts.ingest_url}/v1/hits`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${product.facts.forwarder_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ts: new Date().toISOString(),
        ip: '20.171.206.10',
        method: 'GET',
        path: '/menu',
        ua: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      }),
    })
    expect(await response.json()).toMatchObject({ accepted: 1, rejected: 0 })
    const [row] = await waitFor(async () => (await rows())[0] && (await rows()), {
      what: 'the daily row',
    })
    expect(row).toMatchObject({ crawler_hits: 1 })
  }, 90_000)

  test('a second product on the same folder is told who holds it', async () => {
    const second = startProduct({ env, dataDir })
    await expect(second).rejects.toThrow(`is in use by process ${product.pid} (serving`)
  }, 90_000)

  test('TERM stops it within 5 s with 0, and nothing of it is left behind', async () => {
    const started = performance.now()
    expect(await product.stop()).toBe(0)
    expect(performance.now() - started).toBeLessThan(soonMs)
    for (const name of ['renown.sock', 'renown.pid']) expect(existsSync(join(dataDir, name))).toBe(false)
  }, 90_000)

  test('the second run keeps everything and prints no secret', async () => {
    const before = product.facts
    await product[Symbol.asyncDispose]()
    product = await startProduct({ env, dataDir })
    const { agent_key, forwarder_token, owner_link, ...ids } = product.facts
    expect(agent_key ?? forwarder_token ?? owner_link).toBeUndefined()
    expect(Object.keys(ids)).toEqual(keys.slice(0, 7))
    for (const key of ['agency_id', 'workspace_id', 'location_id', 'site_id', 'site_key'] as const) {
      expect(product.facts[key]).toBe(before[key])
    }
    expect(product.output()).not.toMatch(/rnw_(key|fwd|link)_/)
    expect(await rows()).toMatchObject([{ crawler_hits: 1 }])
  }, 90_000)
})
