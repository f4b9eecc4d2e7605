import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type RunningProduct, startProduct } from '../support/product'
import { serveFolder } from '../support/static-server'
import { waitFor } from '../support/wait-for'

const gptbot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/124.0 Safari/537.36'

/** Lines of 3 October 2026, two of three by GPTBot. */
const log = (count: number, path: string) =>
  Array.from({ length: count }, (_, place) => {
    const time = `03/Oct/2026:10:${String(Math.floor(place / 60) % 60).padStart(2, '0')}:${String(place % 60).padStart(2, '0')}`
    const agent = place % 3 === 2 ? browser : gptbot
    return `198.51.100.7 - - [${time} +0000] "GET /${path}?n=${place} HTTP/1.1" 200 512 "-" "${agent}"\n`
  }).join('')

describe('the command line beside a running product', () => {
  let root: string
  let product: RunningProduct
  let agentKey: string
  const mirror = serveFolder(join(import.meta.dir, '../fixtures/ranges'))
  const env = { RENOWN_RANGES_MIRROR: mirror.url, LOG_LEVEL: 'warn' }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'renown-cli-'))
    product = await startProduct({ env, dataDir: join(root, 'data') })
    agentKey = product.facts.agent_key
  }, 90_000)
  afterAll(async () => {
    await product[Symbol.asyncDispose]()
    await mirror.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await product.renown(...words, '--json')
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const read = (key: string, query = '') =>
    fetch(`${product.facts.api_url}/api/entities/AiTrafficDaily${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
  const hitsOf = async (site: string) => {
    const q = JSON.stringify({ site_id: site, date: '2026-10-03' })
    const rows = (await (await read(agentKey, `?${new URLSearchParams({ q })}`)).json()) as {
      crawler_hits: number
    }[]
    return rows[0]?.crawler_hits ?? 0
  }
  /** Without the moment of their last seal, which a day that was touched just now may have again. */
  const daysOf = async (response: Response) =>
    ((await response.json()) as { updated_date: string }[]).map(({ updated_date: _, ...row }) => row)
  const post = (token: string) =>
    fetch(`${product.facts.ingest_url}/v1/hits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ts: new Date().toISOString(), ip: null, method: 'GET', path: '/', ua: gptbot }),
    })

  test('a rotated key works at once, the one before does not, a revoked one neither', async () => {
    const before = agentKey
    expect((await read(before)).status).toBe(200)
    const rotated = await json('key', 'rotate')
    agentKey = rotated.agent_key
    expect((await read(agentKey)).status).toBe(200)
    expect((await read(before)).status).toBe(401)
    expect(await json('key', 'revoke')).toMatchObject({ revoked: true })
    expect((await read(agentKey)).status).toBe(401)
    agentKey = (await json('key', 'rotate')).agent_key
  }, 90_000)

  test('a site can be sent to right after its creation; its rotated token replaces the one before', async () => {
    const site = await json('site', 'create', 'shop.example.com', '--timezone', 'Europe/Madrid')
    await waitFor(async () => (await post(site.forwarder_token)).status === 200, {
      what: 'the ingest to know the site',
    })
    const rotated = await json('site', 'token', 'rotate', site.site_id)
    await waitFor(async () => (await post(site.forwarder_token)).status === 401, {
      what: 'the ingest to refuse the token of before',
    })
    expect((await post(rotated.forwarder_token)).status).toBe(200)
    const { sites } = await json('site', 'list')
    expect(sites.map(({ domain }: { domain: string }) => domain).sort()).toEqual([
      'localhost',
      'shop.example.com',
    ])
  }, 90_000)

  test('an imported log stands in its old day, once, however it is packed and repeated', async () => {
    const { site_id } = product.facts
    const files = {
      'a.log': log(3_000, 'a'),
      'b.log.gz': gzipSync(log(3_000, 'b')),
      'c.log.zst': zstdCompressSync(log(3_000, 'c')),
    }
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(root, name), content)
      const facts = await json('log', 'import', join(root, name), '--site', 'localhost')
      expect(facts).toMatchObject({
        site_id,
        lines: 3_000,
        accepted: 2_000,
        ignored: 1_000,
        agents: { GPTBot: 2_000 },
        rejected: 0,
        complete: true,
      })
    }
    expect(await json('log', 'import', join(root, 'a.log'), '--site', site_id)).toMatchObject({
      lines: 0,
      resumed_at_line: 3_000,
    })
    await waitFor(async () => (await hitsOf(site_id)) === 6_000, {
      what: 'the sealed day',
      timeoutMs: 10_000,
    })
  }, 90_000)

  test('what cannot be imported is said with a reason', async () => {
    const unknown = await product.renownProcess(
      'log',
      'import',
      join(root, 'a.log'),
      '--site',
      'nobody.example',
    )
    expect(unknown.code).toBe(1)
    expect(unknown.stderr).toContain('There is no site nobody.example. Known: ')
    const absent = await product.renownProcess(
      'log',
      'import',
      join(root, 'no-such.log'),
      '--site',
      'localhost',
    )
    expect(absent.code).toBe(1)
    expect(absent.stderr).toContain(`The file ${join(root, 'no-such.log')} does not exist.`)
    writeFileSync(join(root, 'noise.log'), 'this is\nno log\n')
    const noise = await product.renownProcess('log', 'import', join(root, 'noise.log'), '--site', 'localhost')
    expect(noise.code).toBe(1)
    expect(noise.stdout).toContain('2 rejected')
    expect(noise.stdout).toContain('line 1: ')
  }, 90_000)

  test('ranges say how old and large each list is, and are fetched on demand', async () => {
    const { lists } = await json('range', 'list')
    const fresh = lists.filter(({ status }: { status: string }) => status === 'fresh')
    expect(fresh.length).toBeGreaterThan(0)
    expect(fresh[0]).toMatchObject({
      prefixes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const refreshed = await product.renownProcess('range', 'refresh')
    expect(refreshed.code).toBe(1)
    expect(refreshed.stdout).toContain('never fetched')
  }, 90_000)

  test('doctor finds a healthy product healthy, and says where it runs', async () => {
    const { code, stdout } = await product.renownProcess('doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; found: string }[] }
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
    expect(code).toBe(0)
    expect(checks.find(({ name }) => name === 'product')?.found).toContain(`process ${product.pid}`)
    expect(await json('status')).toMatchObject({
      running: true,
      pid: product.pid,
      documents: 'sqlite',
      columns: 'chdb',
    })
  }, 90_000)

  test('everything moves to another place in one file, and the same key reads the same day there', async () => {
    const [file, copy, elsewhere] = ['all.ndjson', 'copies', 'elsewhere'].map((name) => join(root, name))
    const { counts } = await json('data', 'export', file as string)
    expect(counts).toMatchObject({ AgentKey: 1, Installation: 1, AiTrafficSite: 2, ai_traffic_daily: 2 })
    expect(counts).not.toHaveProperty('JobLease')
    expect(await json('data', 'backup', copy as string)).toMatchObject({
      faults: [],
      elsewhere: [],
      rows: { AgentKey: 1, AiTrafficSite: 2, ai_traffic_daily: 2 },
    })
    const own = await product.renownProcess('data', 'import', file as string)
    expect(own.code).toBe(1)
    expect(own.stderr).toContain('The stores are not empty')
    const run = Bun.spawn(
      [process.execPath, 'core/cli/main.ts', 'data', 'import', file as string, '--json'],
      {
        cwd: join(import.meta.dir, '../..'),
        env: { PATH: process.env.PATH ?? '', ...env, RENOWN_DATA_DIR: elsewhere },
        stdout: 'pipe',
      },
    )
    expect(JSON.parse(await run.stdout.text())).toMatchObject({ counts, conflicts: 0 })
    const before = await daysOf(await read(agentKey))
    const moved = await startProduct({ env, dataDir: elsewhere as string })
    try {
      expect(moved.facts.agency_id).toBe(product.facts.agency_id)
      expect(moved.facts.agent_key).toBeUndefined()
      const there = await fetch(`${moved.facts.api_url}/api/entities/AiTrafficDaily`, {
        headers: { authorization: `Bearer ${agentKey}` },
      })
      expect(await daysOf(there)).toEqual(before)
    } finally {
      await moved[Symbol.asyncDispose]()
    }
  }, 90_000)

  test('with the product stopped, commands open the stores themselves', async () => {
    await product.stop()
    expect((await product.renownProcess('status', '--json')).code).toBe(3)
    expect((await json('site', 'list')).sites.length).toBe(2)
    writeFileSync(join(root, 'd.log'), log(300, 'd'))
    expect(await json('log', 'import', join(root, 'd.log'), '--site', 'localhost')).toMatchObject({
      accepted: 200,
    })
    const { checks } = await json('doctor')
    expect(checks.map(({ name }: { name: string }) => name)).toContain('document integrity')
    const { dataDir, facts } = product
    await product[Symbol.asyncDispose]()
    product = await startProduct({ env, dataDir })
    await waitFor(async () => (await hitsOf(facts.site_id)) === 6_200, {
      what: 'the day with the rest',
      timeoutMs: 10_000,
    })
  }, 90_000)
})
