import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { hitsTable, touchedTable } from 'renown/contracts'
import { openColumns } from '../../core/stores/columns/client'
import { startClickhouseServer } from '../support/clickhouse-process'
import { startIngest } from '../support/ingest-process'
import { quietLog } from '../support/quiet-log'
import { waitFor } from '../support/wait-for'
import { record, site, token } from './support/ingest'
import { inTemporaryFolder, readJournal } from './support/journal'

test(
  'an ingest process of its own takes its sites from the gateway and its hits to ClickHouse',
  () =>
    inTemporaryFolder(async (folder) => {
      const clickhouse = await startClickhouseServer()
      const columns = await openColumns({ url: clickhouse.url }, { log: quietLog })
      await columns.ensure([hitsTable, touchedTable])
      let sites = [site]
      let isUp = true
      await using gateway = Bun.serve({
        port: 0,
        fetch(request) {
          if (!isUp) return new Response(null, { status: 500 })
          const isAllowed = request.headers.get('authorization') === 'Bearer the-secret'
          return isAllowed ? Response.json({ sites, taken: [] }) : new Response(null, { status: 401 })
        },
      })
      const env = {
        CLICKHOUSE_URL: clickhouse.url,
        RENOWN_DATA_DIR: join(folder, 'data'),
        RENOWN_URL: `http://127.0.0.1:${gateway.port}`,
        RENOWN_INGEST_SECRET: 'the-secret',
      }
      const send = async (url: string, path: string) => {
        const body = JSON.stringify(record({ ts: Date.now(), path }))
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch(`${url}/v1/hits`, { method: 'POST', body, headers })
        await response.text()
        return response.status
      }
      try {
        const first = startIngest(env)
        const url = await first.url()
        expect(await send(url, '/one')).toBe(200)
        sites = []
        await waitFor(async () => (await send(url, '/no')) === 401, { what: 'the site to be gone' })
        sites = [site]
        await waitFor(async () => (await send(url, '/two')) === 200, { what: 'the site to be back' })
        expect(await first.stop()).toBe(0)
        const count = async () =>
          (
            await columns.query<{ n: number }>(
              "SELECT toUInt32(sum(hits)) AS n FROM traffic_hits WHERE path IN ('/one', '/two')",
            )
          )[0]?.n
        expect(await count()).toBe(2)
        isUp = false
        const second = startIngest(env)
        expect(await send(await second.url(), '/two')).toBe(200)
        const third = startIngest(env)
        expect(await third.child.exited).toBe(3)
        expect(await new Response(third.child.stderr).text()).toContain('in use by process')
        expect(await second.stop('SIGINT')).toBe(0)
        const { hits } = await readJournal(join(folder, 'data', 'ingest'))
        expect(hits.filter(({ path }) => path !== '/no')).toHaveLength(3)
      } finally {
        await columns.close()
        await clickhouse.stop()
      }
    }),
  90_000,
)

test('says what is missing rather than starting without it', async () => {
  const started = startIngest({ RENOWN_URL: 'http://127.0.0.1:1', RENOWN_INGEST_SECRET: 'x' })
  expect(await started.child.exited).toBe(3)
  expect(await new Response(started.child.stderr).text()).toContain('needs CLICKHOUSE_URL')
})

test(
  'an ingest process that is stopped takes hits until balancers can know, and refuses none that it receives',
  () =>
    inTemporaryFolder(async (folder) => {
      await using gateway = Bun.serve({ port: 0, fetch: () => Response.json({ sites: [site], taken: [] }) })
      const started = startIngest({
        // Nothing is there, so that every hit stays in the journal.
        CLICKHOUSE_URL: 'http://127.0.0.1:1/renown',
        RENOWN_DATA_DIR: join(folder, 'data'),
        RENOWN_URL: `http://127.0.0.1:${gateway.port}`,
        RENOWN_INGEST_SECRET: 'the-secret',
      })
      const url = await started.url()
      const headers = { authorization: `Bearer ${token}`, connection: 'close' }
      const statuses: number[] = []
      const send = async (path: string) => {
        const body = JSON.stringify(record({ ts: Date.now(), path }))
        const response = await fetch(`${url}/v1/hits`, { method: 'POST', body, headers })
        statuses.push(response.status)
        await response.text()
      }
      await send('/before')
      const stopped = started.stop()
      const isDrained = async () => (await fetch(`${url}/readyz`)).status === 503
      await waitFor(isDrained, { what: 'the check to say that it stops' })
      let afterwards = 0
      // Until the port is closed.
      while (
        await send(`/after-${afterwards}`).then(
          () => true,
          () => false,
        )
      )
        afterwards++
      expect(await stopped).toBe(0)
      expect(afterwards).toBeGreaterThan(0)
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      expect((await readJournal(join(folder, 'data', 'ingest'))).hits).toHaveLength(statuses.length)
    }),
  60_000,
)
