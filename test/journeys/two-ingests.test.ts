import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openColumns } from '../../core/stores/columns/client'
import { inTemporaryFolder, readJournal } from '../ingest/support/journal'
import { startClickhouseServer } from '../support/clickhouse-process'
import { countByHand, type DrawnHit, dailyRows, drawBatch } from '../support/drawn-batches'
import { startIngest } from '../support/ingest-process'
import { startProduct } from '../support/product'
import { freePort } from '../support/programs'
import { quietLog } from '../support/quiet-log'
import { hasGoneOn, passTime, waitFor } from '../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const kills = isLong ? 150 : 2
const senders = 6
const answersLost = 0.3

/** A part of the installation that is killed and started again at the same place. */
interface Part {
  readonly name: string
  restart(): Promise<void>
  stop(): Promise<unknown>
}

async function ingestPart(name: string, env: Record<string, string>): Promise<Part & { url: string }> {
  let running = startIngest(env)
  return {
    name,
    url: await running.url(),
    async restart() {
      await running.stop('SIGKILL')
      running = startIngest(env)
      await running.url()
    },
    stop: () => running.stop(),
  }
}

async function gatewayPart(env: Record<string, string>, dataDir: string) {
  let running = await startProduct({ env, dataDir })
  const { facts } = running
  const part: Part = {
    name: 'gateway',
    async restart() {
      process.kill(running.pid, 'SIGKILL')
      await running[Symbol.asyncDispose]()
      running = await startProduct({ env, dataDir })
    },
    stop: () => running[Symbol.asyncDispose](),
  }
  return { part, facts }
}

/** Sends each request to either process, and now and then loses the answer of one that has taken it. */
function balancer(upstreams: readonly string[]) {
  let lost = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const upstream = upstreams[Math.floor(Math.random() * upstreams.length)] ?? ''
      const { pathname } = new URL(request.url)
      const { method, headers } = request
      const body = await request.bytes()
      try {
        const response = await fetch(`${upstream}${pathname}`, { method, headers, body })
        const text = await response.text()
        if (!response.ok || Math.random() >= answersLost)
          return new Response(text, { status: response.status })
        lost++
      } catch {
        // Killed while it answered, or not there: a sender learns no more of it than of a lost answer.
      }
      return new Response(null, { status: 502 })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, lost: () => lost, stop: () => server.stop(true) }
}

test(
  `two ingest processes behind a balancer count each batch once, over ${kills} kills and with answers lost`,
  () =>
    inTemporaryFolder(async (folder) => {
      const clickhouse = await startClickhouseServer()
      const port = await freePort()
      const shared = {
        CLICKHOUSE_URL: clickhouse.url,
        RENOWN_INGEST_SECRET: 'the-secret',
        LOG_LEVEL: 'error',
        // Every hit has a path of its own, by which it is known again.
        RENOWN_RANGES_MIRROR: 'http://127.0.0.1:1',
        PATHS_PER_DAY_MAX: '100000000',
      }
      const gateway = await gatewayPart(
        { ...shared, PORT: String(port), RENOWN_INGEST: 'off' },
        join(folder, 'gateway'),
      )
      const { api_url, agent_key, forwarder_token } = gateway.facts
      const folders = ['one', 'two'].map((name) => join(folder, name))
      const ingests = await Promise.all(
        folders.map(async (dataDir) =>
          ingestPart(dataDir, {
            ...shared,
            LOG_LEVEL: 'info',
            RENOWN_URL: `http://127.0.0.1:${port}`,
            RENOWN_DATA_DIR: dataDir,
            INGEST_PORT: String(await freePort()),
          }),
        ),
      )
      const between = balancer(ingests.map(({ url }) => url))
      const parts: Part[] = [...ingests, gateway.part]
      const sent: DrawnHit[] = []
      let isOver = false

      async function deliver(body: string, headers: Record<string, string>) {
        for (;;) {
          const response = await fetch(`${between.url}/v1/hits`, {
            method: 'POST',
            body,
            headers: { authorization: `Bearer ${forwarder_token}`, ...headers },
          })
          await response.text()
          if (response.ok) return
          expect([502, 503]).toContain(response.status)
          await passTime(10)
        }
      }
      const sending = Array.from({ length: senders }, async (_, sender) => {
        for (let n = 0; !isOver; n++) {
          const { hits, headers } = drawBatch(`${sender}-${n}`)
          await deliver(JSON.stringify(hits), headers)
          sent.push(...hits)
          await passTime(5)
        }
      })
      const daily = () => dailyRows(api_url, agent_key)
      try {
        for (let kill = 0; kill < kills; kill++) {
          await hasGoneOn(() => sent.length, 50)
          // The gateway takes longest to come back: it is killed less often.
          await parts[kill % 5 === 4 ? 2 : Math.floor(Math.random() * 2)]?.restart()
        }
        isOver = true
        await Promise.all(sending)
        const wanted = countByHand(sent)
        const columns = await openColumns({ url: clickhouse.url }, { log: quietLog })
        try {
          await waitFor(async () => Bun.deepEquals(await daily(), wanted), {
            what: 'the daily rows',
            timeoutMs: 30_000,
            everyMs: 200,
          }).catch(async () => expect(await daily()).toEqual(wanted))
          const [row] = await columns.query<{ paths: number; wrong: number }>(
            `SELECT toUInt32(count()) AS paths, toUInt32(countIf(n != 1)) AS wrong
             FROM (SELECT path, sum(hits) AS n FROM traffic_hits WHERE kind = 'crawl' GROUP BY path)`,
          )
          expect(row).toEqual({ paths: sent.length, wrong: 0 })
        } finally {
          await columns.close()
        }
        const journals = await Promise.all(folders.map((each) => readJournal(join(each, 'ingest'))))
        const taken = journals.reduce((sum, { hits }) => sum + hits.length, 0)
        expect(sent.length).toBeGreaterThan(kills * 10)
        expect(between.lost()).toBeGreaterThan(0)
        // Otherwise nothing was shown: both processes had taken the same batches.
        expect(taken).toBeGreaterThan(sent.length)
        if (isLong) console.log(`${kills} kills, ${sent.length} hits, ${taken} taken, each counted once`)
      } finally {
        isOver = true
        await Promise.allSettled(sending)
        await between.stop()
        for (const part of parts) await part.stop()
        await clickhouse.stop()
      }
    }),
  isLong ? 900_000 : 120_000,
)

test.each([
  ['once, with an ingest process beside it', 'on', 1],
  ['twice where nobody asks', 'off', 2],
])(
  'a batch that comes to the gateway’s own ingest too is counted %s',
  (_, INGEST_CLAIMS, times) =>
    inTemporaryFolder(async (folder) => {
      const clickhouse = await startClickhouseServer()
      const shared = {
        CLICKHOUSE_URL: clickhouse.url,
        RENOWN_INGEST_SECRET: 'the-secret',
        INGEST_CLAIMS,
        RENOWN_RANGES_MIRROR: 'http://127.0.0.1:1',
      }
      await using product = await startProduct({ env: shared })
      const { api_url, ingest_url, agent_key, forwarder_token } = product.facts
      const beside = startIngest({ ...shared, RENOWN_URL: api_url, RENOWN_DATA_DIR: join(folder, 'beside') })
      try {
        const urls = [ingest_url, await beside.url()]
        const { hits } = drawBatch('same')
        const headers = { authorization: `Bearer ${forwarder_token}`, 'idempotency-key': 'same' }
        for (const url of urls) {
          const response = await fetch(`${url}/v1/hits`, {
            method: 'POST',
            headers,
            body: JSON.stringify(hits),
          })
          expect(await response.json()).toMatchObject({ accepted: hits.length })
        }
        const told = async (name: string) => {
          const metrics = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
          return metrics.reduce(
            (sum, text) => sum + Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]),
            0,
          )
        }
        const flushed = 'renown_ingest_flushed_hits_total'
        const elsewhere = 'renown_ingest_elsewhere_hits_total'
        const done = async () => (await told(flushed)) + (await told(elsewhere)) === 2 * hits.length
        await waitFor(done, { what: 'both to be done with it', timeoutMs: 30_000 })
        expect(await told(elsewhere)).toBe((2 - times) * hits.length)
        const total = (days: Record<string, Record<string, number>>) =>
          Object.values(days).reduce((sum, day) => Object.values(day).reduce((all, n) => all + n, sum), 0)
        const counted = async () => total(await dailyRows(api_url, agent_key)) === times * hits.length
        await waitFor(counted, { what: 'the daily rows', timeoutMs: 30_000 })
      } finally {
        await beside.stop()
        await clickhouse.stop()
      }
    }),
  90_000,
)
