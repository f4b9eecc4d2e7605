import { expect } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickhouseFront } from '../support/clickhouse-front'
import { startBalancer } from '../support/haproxy'
import { mongoUri } from '../support/mongo'
import { testWith } from '../support/needs'
import { signIn } from '../support/person'
import { type RunningProduct, startProduct } from '../support/product'
import { freePort } from '../support/programs'
import { gatewayCalls, hitsCall, startListener, startRestartLoad } from '../support/restart-load'
import { passTime, waitFor } from '../support/wait-for'

const operating = readFileSync(join(import.meta.dir, '../../docs/operators/monitoring.md'), 'utf8')
const backend = /```\n# HAProxy\n([\s\S]*?)```/.exec(operating)?.[1] ?? ''
const isLong = process.env.RENOWN_LONG === '1'
const rounds = isLong ? 6 : 2
const batch = 5
const startMs = 120_000

testWith('haproxy', 'MongoDB')(
  `a rolling restart of two whole products behind HAProxy, as the docs say, fails no request in ${rounds} rounds`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'renown-rolling-'))
    const front = startClickhouseFront({ folder: join(folder, 'clickhouse') })
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const places: { readonly port: number; readonly ingest: number; readonly dataDir: string }[] = []
    for (const name of ['one', 'two'])
      places.push({ port: await freePort(), ingest: await freePort(), dataDir: join(folder, name) })
    const uri = mongoUri() ?? ''
    const start = (place: number): Promise<RunningProduct> => {
      const own = places[place]
      if (!own) throw new Error('there are two')
      return startProduct({
        dataDir: own.dataDir,
        startMs,
        env: {
          PORT: String(own.port),
          INGEST_PORT: String(own.ingest),
          RENOWN_URL: origin,
          MONGODB_URI: uri,
          CLICKHOUSE_URL: `${front.url}/renown`,
          RENOWN_INGEST_SECRET: 'a-secret-of-the-rolling-restart-journey',
          SECRETS_KEY: `k1:${Buffer.alloc(32, 7).toString('base64url')}`,
          RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
          LOG_LEVEL: 'warn',
          LIMIT_READS_PER_MINUTE: '1000000',
          LIMIT_OPERATIONS_PER_MINUTE: '1000000',
          LIMIT_PAGES_PER_MINUTE: '1000000',
          LIMIT_AGENCY_PAGES_PER_MINUTE: '1000000',
        },
      })
    }
    const first = await start(0)
    const products = [first, await start(1)]
    const { agent_key, forwarder_token } = first.facts
    const gateways = await startBalancer(
      places.map((own) => own.port),
      backend,
      { port, path: '/readyz' },
    )
    const ingests = await startBalancer(
      places.map((own) => own.ingest),
      backend,
      { path: '/readyz' },
    )
    const { visitor } = await signIn(first)
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const load = startRestartLoad({
      ...gatewayCalls(gateways.url, agent_key),
      page: () => fetch(`${gateways.url}/app`, { headers: { cookie } }),
      'hits one': hitsCall(ingests.url, forwarder_token, batch),
      'hits two': hitsCall(ingests.url, forwarder_token, batch),
    })
    const listener = startListener(`${gateways.url}/app/events/install?site=${first.facts.site_id}`, cookie)
    try {
      await passTime(1_000)
      expect(load.failures()).toEqual({})
      for (let round = 0; round < rounds; round++) {
        const place = round % 2
        expect(await products[place]?.stop()).toBe(0)
        products[place] = await start(place)
        const ready = () => fetch(`http://127.0.0.1:${places[place]?.port}/readyz`).then(({ ok }) => ok)
        await waitFor(ready, { what: 'the started one to be ready' })
        // As the docs say, until the balancer has asked too.
        await passTime(2_000)
        expect([round, load.failures()]).toEqual([round, {}])
      }
      await load.stop()
      await listener.stop()
      // Each restart of the process that has the stream ends it, and the page listens at the other.
      expect(listener.refused).toEqual([])
      expect(listener.opened()).toBeGreaterThan(1)
      const counted = async () => {
        const response = await fetch(`${gateways.url}/api/entities/AiTrafficDaily`, {
          headers: { authorization: `Bearer ${agent_key}` },
        })
        const rows = (await response.json()) as { crawler_hits: number }[]
        return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
      }
      await waitFor(async () => (await counted()) >= load.accepted(), {
        what: 'the last hits',
        timeoutMs: 40_000,
        everyMs: 500,
      })
      expect(await counted()).toBe(load.accepted())
      expect(Object.values(load.answered).every((count) => count > rounds)).toBe(true)
      process.stdout.write(`${JSON.stringify(load.answered)}\n`)
    } finally {
      await listener.stop()
      await load.stop()
      await Promise.all([gateways.stop(), ingests.stop()])
      await Promise.all(products.map((product) => product[Symbol.asyncDispose]()))
      await front.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  900_000,
)
