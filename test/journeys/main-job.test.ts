import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '../support/chromium'
import { startClickhouseServer } from '../support/clickhouse-process'
import { describeWith, type NeedName, testWith } from '../support/needs'
import { startWebServer, type WebServer } from '../support/nginx'
import { type RunningProduct, startProduct } from '../support/product'
import { serveFolder } from '../support/static-server'
import { waitFor } from '../support/wait-for'

/** Real user agents, and addresses that lie in the operators' ranges of May 2026 or in nobody's. */
const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot'
const chatGptUser =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot'
const searchBot = 'Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)'
const claudeBot = 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)'
const perplexityBot = 'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)'
const perplexityUser = 'Mozilla/5.0 (compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)'
const bytespider = 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)'
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const person =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

type Request = readonly [ua: string, address: string, path: string, times: number]
const imported: readonly Request[] = [
  [gptBot, '20.171.206.17', '/pricing', 3],
  [gptBot, '8.8.4.4', '/pricing', 1],
  [claudeBot, '34.85.172.162', '/', 2],
  [chatGptUser, '4.151.71.180', '/menu?table=4', 2],
  [bytespider, '110.249.201.5', '/blog', 2],
  [perplexityBot, '3.211.124.183', '/style.css', 1],
  [person, '93.184.215.14', '/pricing', 2],
  [googlebot, '66.249.66.1', '/pricing', 1],
]
const posted: readonly Request[] = [
  [gptBot, '20.171.206.17', '/pricing', 2],
  [perplexityUser, '18.97.21.2', '/menu', 1],
  [searchBot, '10.0.0.7', '/blog', 1],
]
/** Of the two lots above and one visit from an assistant, counted by hand. */
const day = {
  crawler_hits: 15,
  verified_hits: 11,
  spoofed_hits: 1,
  unique_agents: 7,
  by_agent: {
    GPTBot: { hits: 6, verified: 5, spoofed: 1, category: 'training', operator: 'OpenAI' },
    ClaudeBot: { hits: 2, verified: 2, spoofed: 0, category: 'training', operator: 'Anthropic' },
    'ChatGPT-User': { hits: 2, verified: 2, spoofed: 0, category: 'ai_answers', operator: 'OpenAI' },
    Bytespider: { hits: 2, verified: 0, spoofed: 0, category: 'training', operator: 'ByteDance' },
    PerplexityBot: { hits: 1, verified: 1, spoofed: 0, category: 'search_index', operator: 'Perplexity' },
    'Perplexity-User': { hits: 1, verified: 1, spoofed: 0, category: 'ai_answers', operator: 'Perplexity' },
    'OAI-SearchBot': { hits: 1, verified: 0, spoofed: 0, category: 'search_index', operator: 'OpenAI' },
  },
  by_category: { ai_answers: 3, search_index: 2, training: 10, other_ai: 0 },
  top_paths: [
    { path: '/pricing', hits: 6 },
    { path: '/blog', hits: 3 },
    { path: '/menu', hits: 3 },
    { path: '/', hits: 2 },
  ],
  paths_by_category: {
    ai_answers: [{ path: '/menu', hits: 3 }],
    search_index: [{ path: '/blog', hits: 1 }],
    training: [
      { path: '/pricing', hits: 6 },
      { path: '/', hits: 2 },
      { path: '/blog', hits: 2 },
    ],
  },
}
const visit = {
  referral_visits: 1,
  by_referrer: { 'chatgpt.com': 1 },
  referral_paths: [{ path: '/landing', visits: 1 }],
}

const isLong = process.env.RENOWN_LONG === '1'
const fixtures = join(import.meta.dir, '../fixtures/ranges')
/** A folder with a mirror of the operators' whole lists, where the machine has one. */
const wholeLists = process.env.RENOWN_TEST_RANGES ?? ''
const mongodb = process.env.RENOWN_TEST_MONGODB_URI ?? ''

describeWith('nginx', 'curl')('an access log becomes a verified daily row', () => {
  journey('on the embedded stores', { lists: fixtures, isEveryPacking: true })
  journey("with the operators' whole lists", { lists: wholeLists, isBrief: true }, ['whole address lists'])
  journey('on MongoDB and on ClickHouse over HTTP', { lists: fixtures, servers: mongodb }, ['MongoDB'])
})

interface Variant {
  readonly lists: string
  /** A MongoDB whose protocol is spoken; ClickHouse is started beside it. */
  readonly servers?: string
  /** Whether logs are imported plain, gzipped and as zstandard. Each import starts a process. */
  readonly isEveryPacking?: boolean
  /** Without the browser and the restart. */
  readonly isBrief?: boolean
}

function journey(
  title: string,
  { lists, servers, isEveryPacking = isLong, isBrief }: Variant,
  needs: readonly NeedName[] = [],
) {
  describeWith(...needs)(title, () => {
    let nginx: WebServer
    let product: RunningProduct
    let folder: string
    let env: Record<string, string>
    const cleanUp: (() => Promise<unknown> | unknown)[] = []

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'renown-journey-'))
      cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
      const mirror = serveFolder(lists)
      cleanUp.push(mirror.stop)
      nginx = await startWebServer()
      cleanUp.push(nginx.stop)
      env = { RENOWN_RANGES_MIRROR: mirror.url }
      if (servers) {
        const clickhouse = await startClickhouseServer()
        cleanUp.push(clickhouse.stop)
        env.CLICKHOUSE_URL = clickhouse.url
        env.MONGODB_URI = withDatabase(
          servers,
          `renown_journey_${process.pid}_${Math.trunc(performance.now())}`,
        )
      }
      product = await startProduct({ env })
      cleanUp.push(() => product[Symbol.asyncDispose]())
      await listsAreFresh(product)
    }, 120_000)
    afterAll(async () => {
      for (const step of cleanUp.reverse()) await step()
    }, 90_000)

    test(`bun renown log import takes the web server's own log, ${isEveryPacking ? 'plain, gzipped or zstandard' : 'gzipped'}, and counts it once`, async () => {
      const lots = isEveryPacking
        ? ([
            ['access.log', imported.slice(0, 3), 6],
            ['access.log.1.gz', imported.slice(3, 5), 4],
            ['access.log.2.zst', imported.slice(5), 1],
          ] as const)
        : ([['access.log.1.gz', imported, 11]] as const)
      for (const [name, lot, expected] of lots) {
        await Bun.write(nginx.combinedLog, '')
        await crawl(nginx, lot, nginx.combinedLog)
        const file = join(folder, name)
        await Bun.write(file, packed(name, await Bun.file(nginx.combinedLog).bytes()))
        const command = isEveryPacking ? product.renownProcess : product.renown
        const run = () => command('log', 'import', file, '--site', product.facts.site_id, '--json')
        expect(totals(await run())).toMatchObject({ accepted: expected, rejected: 0 })
        expect(totals(await run()).accepted ?? 0).toBe(0)
      }
    }, 90_000)

    test('curl --data-binary @access.log posts a JSON log; the same lines again are duplicates', async () => {
      await Bun.write(nginx.jsonLog, '')
      await crawl(nginx, posted, nginx.jsonLog)
      const { ingest_url, forwarder_token } = product.facts
      const post = () =>
        request(`${ingest_url}/v1/logs`, { authorization: `Bearer ${forwarder_token}` }, nginx.jsonLog)
      expect(JSON.parse(await post())).toMatchObject({ accepted: 4, rejected: 0, duplicate: 0 })
      expect(JSON.parse(await post())).toMatchObject({ accepted: 0, rejected: 0, duplicate: 4 })
    }, 90_000)

    test('the day, read with the agent key, says who came, who was genuine and what they read', async () => {
      const row = await waitFor(
        async () => (await readDay(product)).find((each) => each.crawler_hits === 15),
        {
          what: 'the daily row to hold every hit',
          timeoutMs: 15_000,
          everyMs: 200,
        },
      )
      expect(row).toMatchObject(day)
      expect(JSON.stringify(row)).not.toContain('20.171.206.17')
    }, 90_000)

    if (isBrief) return

    testWith('chromium')(
      'a visit from ChatGPT, by the beacon in a real browser',
      async () => {
        await Bun.write(
          join(nginx.pages, 'landing.html'),
          `<!doctype html><title>Menu</title>${beaconTag(product)}<p>Hello`,
        )
        const browser = await startChromium()
        try {
          const page = await browser.newPage()
          await page.goto(`${nginx.url}/landing`, { referer: 'https://chatgpt.com/' })
          const row = await waitFor(
            async () => (await readDay(product)).find((each) => each.referral_visits === 1),
            {
              what: 'the daily row to hold the visit',
              timeoutMs: 15_000,
              everyMs: 200,
            },
          )
          expect(row).toMatchObject({ ...day, ...visit })
        } finally {
          await browser.close()
        }
      },
      90_000,
    )

    test('after a restart the day is the same, and no secret is said again', async () => {
      const [before] = await readDay(product)
      expect(await product.stop()).toBe(0)
      const again = await startProduct({ env, dataDir: product.dataDir })
      cleanUp.push(() => again[Symbol.asyncDispose]())
      expect(again.facts.site_id).toBe(product.facts.site_id)
      expect<unknown>([again.facts.agent_key, again.facts.forwarder_token]).toEqual([undefined, undefined])
      expect(again.output()).not.toMatch(/rnw_key_[0-9A-Za-z]/)
      const facts = { ...again.facts, agent_key: product.facts.agent_key }
      expect((await readDay({ ...again, facts }))[0]).toEqual(before)
    }, 90_000)
  })
}

/** A file as log rotation leaves it. */
function packed(name: string, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (name.endsWith('.gz')) return Bun.gzipSync(bytes)
  return name.endsWith('.zst') ? new Uint8Array(Bun.zstdCompressSync(bytes)) : bytes
}

/** What an import says at its end. */
function totals({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) {
  if (code !== 0) throw new Error(`the import ended with ${code}: ${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>
}

/** Requests pages under the names and addresses of crawlers. Resolves once the log holds a line for each request. */
async function crawl(nginx: WebServer, requests: readonly Request[], log: string): Promise<void> {
  let sent = 0
  for (const [ua, address, path, times] of requests) {
    const headers = { 'user-agent': ua, 'x-forwarded-for': address }
    for (let time = 0; time < times; time++, sent++) await request(`${nginx.url}${path}`, headers)
  }
  const lines = async () => (await Bun.file(log).text()).split('\n').filter(Boolean).length
  await waitFor(async () => (await lines()) >= sent, { what: 'the log of every request', timeoutMs: 10_000 })
}

/** One request by curl; with a file, its bytes are posted. */
async function request(url: string, headers: Record<string, string>, file?: string): Promise<string> {
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const data = file ? ['--data-binary', `@${file}`] : []
  const run = Bun.spawn(['curl', '-sS', '--max-time', '20', ...data, ...words, url], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
  if (code !== 0) throw new Error(`curl ended with ${code}: ${stderr}`)
  return stdout
}

/** The rows of the site as an agent gets them. */
async function readDay({ facts }: RunningProduct): Promise<Record<string, unknown>[]> {
  const q = encodeURIComponent(JSON.stringify({ site_id: facts.site_id }))
  const body = await request(`${facts.api_url}/api/entities/AiTrafficDaily?q=${q}`, {
    authorization: `Bearer ${facts.agent_key}`,
    'x-workspace-id': facts.workspace_id,
  })
  return JSON.parse(body)
}

/** The operators of the journey have fresh lists. A mirror that lacks others, or one of theirs, does not matter. */
async function listsAreFresh(product: RunningProduct): Promise<void> {
  await waitFor(
    async () => {
      const { stdout } = await product.renown('range', 'list', '--json')
      const rows = JSON.parse(stdout).lists as { url: string; status: string; last_error: string | null }[]
      const ours = rows.filter(({ url }) => /openai\.com|claude\.com|perplexity\.ai/.test(url))
      const there = ours.filter(({ last_error }) => last_error !== 'answered 404')
      return there.length >= 6 && there.every(({ status }) => status === 'fresh')
    },
    { what: 'the address lists', timeoutMs: 30_000, everyMs: 250 },
  )
}

const beaconTag = ({ facts }: RunningProduct) =>
  `<script defer src="${facts.ingest_url}/s/${facts.site_key}.js"></script>`

function withDatabase(uri: string, database: string): string {
  const url = new URL(uri)
  url.pathname = `/${database}`
  return url.toString()
}
