import { expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultyProxy, type ServerFault } from '../support/faulty-proxy'
import { firstLine } from '../support/first-line'
import { mongoUri } from '../support/mongo'
import { testWith } from '../support/needs'
import { type RunningProduct, startProduct } from '../support/product'
import { findProgram } from '../support/programs'
import { passTime, waitFor } from '../support/wait-for'

const faults: readonly ServerFault[] = ['killed', 'silent', 'slow']
/** The short form has one round of each fault. */
const isLong = process.env.RENOWN_LONG === '1'
const rounds = isLong ? 20 * faults.length : faults.length
/** In the long form, longer than the driver needs to notice a silent server. */
const faultMs = isLong ? 30_000 : 6_000
const lateMs = 10_000
const batch = 5

/** A client on Node through the same proxy. `last` is the time of its last answered ping. */
function startControl(uri: string) {
  const child = Bun.spawn(
    [findProgram('node') ?? 'node', join(import.meta.dir, '../support/mongo-control.cjs'), uri],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const state = { last: 0 }
  const read = async () => {
    for await (const piece of child.stdout) {
      const last = Buffer.from(piece).toString().trimEnd().split('\n').at(-1)
      if (last) state.last = Number(last)
    }
  }
  read()
  return { state, stop: () => child.kill('SIGKILL') }
}

/** A ClickHouse server for tests in a process of its own. */
async function startColumns() {
  const folder = mkdtempSync(join(tmpdir(), 'renown-mongodb-outage-'))
  const front = join(import.meta.dir, '../support/clickhouse-front.ts')
  const child = Bun.spawn([process.execPath, front, '0', folder], { stdout: 'pipe', stderr: 'inherit' })
  return {
    port: Number(/listening (\d+)/.exec(await firstLine(child.stdout))?.[1]),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Asks one product all the time, and keeps what it answers. */
function startLoad({ facts }: RunningProduct, key: string) {
  const wrong: string[] = []
  const state = { lastRead: 0, accepted: 0, refused: 0, away: 0 }
  let isOver = false
  const reads = async () => {
    while (!isOver) {
      const response = await fetch(`${facts.api_url}/api/entities/AiTrafficSite`, {
        headers: { authorization: `Bearer ${key}` },
      })
      await response.text()
      if (response.status === 200) state.lastRead = Date.now()
      else if (response.status === 503 && response.headers.has('retry-after')) state.away++
      else wrong.push(`${response.status} retry-after ${response.headers.get('retry-after')}`)
      await passTime(50)
    }
  }
  const hits = async (token: string) => {
    while (!isOver) {
      const lines = Array.from({ length: batch }, (_, n) => ({
        ts: new Date().toISOString(),
        ip: null,
        method: 'GET',
        path: `/page-${n}`,
        ua: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      }))
      const response = await fetch(`${facts.ingest_url}/v1/hits`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(lines),
      })
      if (response.ok) state.accepted += ((await response.json()) as { accepted: number }).accepted
      else state.refused++
      await passTime(50)
    }
  }
  return {
    state,
    wrong,
    start: (token: string) => {
      const running = [reads(), reads(), hits(token)]
      return async () => {
        isOver = true
        await Promise.all(running)
      }
    },
  }
}

testWith('MongoDB', 'node')(
  `MongoDB fails ${rounds} times under load: two gateways come back by themselves, no later than a client on Node`,
  async () => {
    const target = new URL(mongoUri() ?? '')
    const proxy = faultyProxy(target.hostname, Number(target.port || 27017), 5_000)
    target.host = `127.0.0.1:${proxy.port}`
    target.searchParams.set('directConnection', 'true')
    // Both count into one ClickHouse. Two processes with one MongoDB and a ClickHouse each would overwrite daily rows.
    const columns = await startColumns()
    const env = {
      MONGODB_URI: target.href,
      CLICKHOUSE_URL: `http://127.0.0.1:${columns.port}/renown`,
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
      LOG_LEVEL: 'warn',
    }
    // One after the other, because the first start makes every collection and its indexes.
    const startMs = 120_000
    const products = [await startProduct({ env, startMs }), await startProduct({ env, startMs })]
    const control = startControl(target.href)
    const parts = products.map((product) => product.parts())
    const key = products.map(({ facts }) => facts.agent_key).find(Boolean) ?? ''
    const token = products.map(({ facts }) => facts.forwarder_token).find(Boolean) ?? ''
    const loads = products.map((product) => startLoad(product, key))
    const stops = loads.map((load) => load.start(token))
    try {
      for (let round = 0; round < rounds; round++) {
        proxy.set(faults[round % faults.length] ?? 'killed')
        await passTime(faultMs)
        proxy.set('none')
        const mended = Date.now()
        await waitFor(() => control.state.last > mended, { what: 'the client on Node', timeoutMs: 60_000 })
        const isBack = () => loads.every(({ state }) => state.lastRead > mended)
        const since = Date.now()
        await waitFor(isBack, { what: 'both gateways', timeoutMs: 60_000 })
        expect([round, Date.now() - since < lateMs]).toEqual([round, true])
        await passTime(1_000)
      }
      await Promise.all(stops.map((stop) => stop()))
      expect(loads.flatMap(({ wrong }) => wrong)).toEqual([])
      expect(loads.map(({ state }) => state.refused)).toEqual([0, 0])
      expect(loads.every(({ state }) => state.away > 0)).toBe(true)
      for (const product of products) expect(product.output()).not.toContain('a request failed')
      // Nothing was started again.
      expect(products.map((product) => product.parts())).toEqual(parts)
      const accepted = loads.reduce((sum, { state }) => sum + state.accepted, 0)
      for (const { facts } of products) {
        const counted = async () => {
          const response = await fetch(`${facts.api_url}/api/entities/AiTrafficDaily`, {
            headers: { authorization: `Bearer ${key}` },
          })
          const rows = (await response.json()) as { crawler_hits: number }[]
          return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
        }
        await waitFor(async () => (await counted()) >= accepted, { what: 'the last hits', timeoutMs: 40_000 })
        expect(await counted()).toBe(accepted)
      }
    } finally {
      await Promise.all(stops.map((stop) => stop()))
      control.stop()
      proxy.set('none')
      await Promise.all(products.map((product) => product[Symbol.asyncDispose]()))
      proxy.stop()
      await columns.stop()
    }
  },
  7_200_000,
)
