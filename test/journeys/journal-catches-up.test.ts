import { expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickhouseFront } from '../support/clickhouse-front'
import { testWith } from '../support/needs'
import { startProduct } from '../support/product'
import { passTime, waitFor } from '../support/wait-for'

const delayMs = 400
const outageMs = 60_000
const postsPerSecond = 10
const hitsPerPost = 10

/** A way to ClickHouse that takes its time for each request, or that is cut. */
function slowWay(upstream: string) {
  const state = { isCut: false, inserts: 0 }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    maxRequestBodySize: 2 ** 30,
    async fetch(request) {
      if (state.isCut) return new Response('Code: 210. DB::NetException', { status: 502 })
      const { pathname, search } = new URL(request.url)
      const body = await request.arrayBuffer()
      if (/INSERT(?:[+ ]|%20)INTO(?:[+ ]|%20)traffic_hits/.test(search)) state.inserts++
      await passTime(delayMs)
      const headers = new Headers(request.headers)
      for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name)
      const init: BunFetchRequestInit = { method: request.method, headers, decompress: false }
      return fetch(`${upstream}${pathname}${search}`, body.byteLength > 0 ? { ...init, body } : init)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, state, stop: () => server.stop(true) }
}

testWith('a long run')(
  'with 400 ms a request and 100 hits a second, the backlog of a minute without ClickHouse is gone within two minutes',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'renown-catch-up-'))
    const front = startClickhouseFront({ folder })
    const way = slowWay(front.url)
    const product = await startProduct({
      env: { CLICKHOUSE_URL: `${way.url}/renown`, RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' },
    })
    const { ingest_url, api_url, forwarder_token, agent_key } = product.facts
    let accepted = 0
    let refused = 0
    let isOver = false
    const send = async (post: number) => {
      const hits = Array.from({ length: hitsPerPost }, (_, n) => ({
        ts: new Date().toISOString(),
        ip: null,
        method: 'GET',
        path: `/page-${post % 97}-${n}`,
        ua: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      }))
      const response = await fetch(`${ingest_url}/v1/hits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${forwarder_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(hits),
      })
      if (response.ok) accepted += ((await response.json()) as { accepted: number }).accepted
      else refused++
    }
    const load = (async () => {
      const began = performance.now()
      for (let post = 0; !isOver; post++) {
        await passTime(Math.max(0, began + (post * 1_000) / postsPerSecond - performance.now()))
        await send(post)
      }
    })()
    const waiting = async () => {
      const text = await (await fetch(`${ingest_url}/metrics`)).text()
      const of = (name: string) => Number(new RegExp(`^renown_ingest_${name} (\\S+)`, 'm').exec(text)?.[1])
      return { segments: of('waiting_segments'), seconds: of('oldest_waiting_seconds') }
    }
    const counted = async () => {
      const response = await fetch(`${api_url}/api/entities/AiTrafficDaily`, {
        headers: { authorization: `Bearer ${agent_key}` },
      })
      if (!response.ok) return -1
      const rows = (await response.json()) as { crawler_hits: number }[]
      return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
    }
    try {
      await passTime(20_000)
      const before = await waiting()
      way.state.isCut = true
      await passTime(outageMs)
      const during = await waiting()
      way.state.isCut = false
      const back = performance.now()
      const insertsThen = way.state.inserts
      await waitFor(async () => (await waiting()).segments <= 8, {
        what: 'the backlog to be gone',
        timeoutMs: 120_000,
        everyMs: 200,
      })
      const goneAfterMs = Math.round(performance.now() - back)
      const inserts = way.state.inserts - insertsThen
      await passTime(20_000)
      const after = await waiting()
      isOver = true
      await load
      await waitFor(async () => (await counted()) >= accepted, {
        what: 'the last hits',
        timeoutMs: 60_000,
        everyMs: 500,
      })
      const figures = {
        accepted,
        refused,
        before,
        during,
        goneAfterMs,
        inserts,
        after,
        counted: await counted(),
      }
      process.stdout.write(`${JSON.stringify(figures)}\n`)
      expect(figures.counted).toBe(accepted)
      expect(refused).toBe(0)
      expect(during.segments).toBeGreaterThan(30)
      expect(inserts).toBeGreaterThan(0)
      expect(inserts).toBeLessThan(during.segments / 4)
      expect(after.segments).toBeLessThan(10)
    } finally {
      isOver = true
      await load.catch(() => undefined)
      await product[Symbol.asyncDispose]()
      await way.stop()
      await front.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  400_000,
)
