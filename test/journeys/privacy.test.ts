import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchFor } from '../support/addresses'
import { clfTime } from '../support/clf-time'
import { type RunningProduct, startProduct } from '../support/product'
import { randomSource } from '../support/random-documents'
import { serveFolder } from '../support/static-server'
import { columnsFolder, databasesUnder, dump, filesUnder } from '../support/stored'
import { waitFor } from '../support/wait-for'

const many = process.env.RENOWN_LONG ? 100_000 : 24_000
const agents = [
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)',
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
]
/** Planted where a value is kept on purpose, so that the search is seen to work in each place. */
const canaries = {
  path: '203.0.113.77',
  name: '203.0.113.78',
  requestId: '203.0.113.79',
  memory: '203.0.113.80',
}
const requestIdCanary = 'cb00714f'

const known = knownAddresses(many)
const search = searchFor(known)
const canarySearch = searchFor(Object.values(canaries))

describe('no address is kept', () => {
  let folder: string
  let product: RunningProduct
  let mirror: ReturnType<typeof serveFolder>
  let heap: string[]
  let output: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'renown-privacy-'))
    mirror = serveFolder(join(import.meta.dir, '../fixtures/ranges'))
    product = await startProduct({
      preload: [join(import.meta.dir, '../support/heap-snapshot.ts')],
      env: {
        RENOWN_RANGES_MIRROR: mirror.url,
        HEAP_SNAPSHOT: join(folder, 'product.heapsnapshot'),
        LOG_LEVEL: 'debug',
        TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
        INGEST_BEACONS_PER_SECOND: '100000',
      },
    })
    await plantCanaries(product)
    await sendHits(product)
    await everythingIsCounted(product)
    heap = await heapStrings(product, join(folder, 'product.heapsnapshot'))
    await product.stop()
    output = product.output()
  }, 240_000)
  afterAll(async () => {
    await product?.[Symbol.asyncDispose]()
    await mirror?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test(`${known.length} known addresses were sent`, () => {
    expect(new Set(known).size).toBe(known.length)
    expect(known.length).toBeGreaterThanOrEqual(many)
  })

  test('none stands in any file under the data folder', () => {
    const files = filesUnder(product.dataDir)
    expect(files.length).toBeGreaterThan(5)
    const found = files.flatMap((file) =>
      search.find(readFileSync(file, 'latin1')).map((text) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
    expect(files.some((file) => canarySearch.find(readFileSync(file, 'latin1')).length > 0)).toBe(true)
  })

  test('none stands in a row of the documents store', async () => {
    const rows = (
      await Promise.all(databasesUnder(product.dataDir).map((file) => dump('sqlite', file)))
    ).join('\n')
    expect(search.find(rows)).toEqual([])
    expect(canarySearch.find(rows)).toContain(canaries.name)
  })

  test('none stands in a row of the columns store', async () => {
    const rows = await dump('chdb', columnsFolder(product.dataDir))
    expect(search.find(rows)).toEqual([])
    expect(canarySearch.find(rows)).toContain(canaries.path)
  })

  test('none stands in what it logged, with every line written', () => {
    expect(search.find(output)).toEqual([])
    expect(canarySearch.find(output)).toContain(requestIdCanary)
  })

  test('none stands in its memory', () => {
    expect(heap.length).toBeGreaterThan(10_000)
    expect(search.find(heap.join('\n'))).toEqual([])
    expect(canarySearch.find(heap.join('\n'))).toContain(canaries.memory)
  })
})

/** Distinct public addresses, IPv4 and every tenth IPv6, reproducible. */
function knownAddresses(count: number): string[] {
  const { below } = randomSource(20261120)
  const made = new Set<string>()
  while (made.size < count) {
    if (made.size % 10 === 9) {
      const words = Array.from({ length: 6 }, () => (below(65_535) + 1).toString(16))
      made.add(`2a0${below(8) + 1}:${words.join(':')}:${(below(65_535) + 1).toString(16)}`)
    } else {
      // 130.x to 191.x: in nobody's list of the fixtures, and far from any number of seconds since 1970.
      made.add(`${130 + below(39)}.${below(256)}.${below(256)}.${1 + below(254)}`)
    }
  }
  return [...made]
}

async function plantCanaries({ facts, renown }: RunningProduct): Promise<void> {
  const named = await renown('location', 'create', canaries.name)
  if (named.code !== 0) throw new Error(named.stderr)
  const hit = {
    ts: new Date().toISOString(),
    ip: null,
    method: 'GET',
    path: `/to/${canaries.path}/x`,
    ua: agents[0],
  }
  await post(facts, '/v1/hits', JSON.stringify(hit))
  await fetch(`${facts.api_url}/api/functions/whoami`, {
    method: 'POST',
    headers: { authorization: `Bearer ${facts.agent_key}`, 'x-request-id': requestIdCanary },
  })
}

/** A third as JSON hits, a third as log lines (some broken), a third through the beacon behind a proxy. */
async function sendHits({ facts }: RunningProduct): Promise<void> {
  const third = Math.ceil(known.length / 3)
  const lots = [known.slice(0, third), known.slice(third, 2 * third), known.slice(2 * third)]
  const at = new Date()
  for (const lot of batches(lots[0] as string[], 1000)) {
    const lines = lot.map((ip, index) =>
      JSON.stringify({
        ts: at.toISOString(),
        ip,
        method: 'GET',
        path: `/p/${index % 50}`,
        ua: agents[index % 4],
      }),
    )
    await post(facts, '/v1/hits', lines.join('\n'))
  }
  for (const lot of batches(lots[1] as string[], 1000)) {
    const lines = lot.map((ip, index) => {
      const time = index % 40 === 7 ? 'no time at all' : clfTime(at)
      return `${ip} - - [${time}] "GET /q/${index % 50} HTTP/1.1" 200 10 "-" "${agents[index % 4]}"`
    })
    await post(facts, '/v1/logs', lines.join('\n'))
  }
  for (const lot of batches(lots[2] as string[], 64)) {
    await Promise.all(
      lot.map((ip, index) =>
        fetch(`${facts.ingest_url}/s/${facts.site_key}`, {
          method: 'POST',
          headers: { 'x-forwarded-for': ip, 'user-agent': agents[3] as string, origin: 'http://localhost' },
          body: `,https://chatgpt.com/,/b/${index % 50}`,
        }).then((answer) => answer.arrayBuffer()),
      ),
    )
  }
}

async function post(facts: RunningProduct['facts'], path: string, body: string): Promise<void> {
  const answer = await fetch(`${facts.ingest_url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${facts.forwarder_token}`, 'content-type': 'text/plain' },
    body,
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

/** The daily row has stood still for a while, with crawls and visits in it. */
async function everythingIsCounted({ facts }: RunningProduct): Promise<void> {
  let before = ''
  let still = 0
  await waitFor(
    async () => {
      const answer = await fetch(`${facts.api_url}/api/entities/AiTrafficDaily`, {
        headers: { authorization: `Bearer ${facts.agent_key}` },
      })
      const rows = (await answer.json()) as { crawler_hits: number; referral_visits: number }[]
      const now = JSON.stringify(rows.map((row) => [row.crawler_hits, row.referral_visits]))
      still = now === before ? still + 1 : 0
      before = now
      return still >= 12 && rows.some((row) => row.crawler_hits > 1000 && row.referral_visits > 0)
    },
    { what: 'every hit to be counted', timeoutMs: 60_000, everyMs: 500 },
  )
}

async function heapStrings(product: RunningProduct, file: string): Promise<string[]> {
  const heaps: string[][] = []
  for (const pid of Object.values(product.parts())) {
    process.kill(pid, 'SIGUSR2')
    await waitFor(() => statSync(`${file}.${pid}`, { throwIfNoEntry: false })?.size, {
      what: 'the heap snapshot',
      timeoutMs: 60_000,
    })
    heaps.push(JSON.parse(readFileSync(`${file}.${pid}`, 'utf8')).strings)
  }
  expect(heaps).toHaveLength(2)
  return heaps.flat()
}

function* batches<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
