import { expect } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startClickhouseServer } from '../support/clickhouse-process'
import { jitSettings } from '../support/jit-settings'
import { mongoUri } from '../support/mongo'
import { testWith } from '../support/needs'
import { isAlive, startProduct } from '../support/product'
import { freePort } from '../support/programs'
import { waitFor } from '../support/wait-for'

const root = join(import.meta.dir, '../..')
const endsWithItsParent = join(import.meta.dir, '../support/ends-with-its-parent.ts')

/** Starts a worker, and waits until its port says that it is ready. */
async function startWorker(env: Readonly<Record<string, string>>, dataDir: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = Bun.spawn([process.execPath, '--preload', endsWithItsParent, 'core/main.ts'], {
    cwd: root,
    env: {
      ...jitSettings,
      PATH: process.env.PATH ?? '',
      ...env,
      RENOWN_ROLE: 'worker',
      PORT: String(port),
      RENOWN_DATA_DIR: dataDir,
    },
    stdout: 'ignore',
    stderr: Bun.file(`${dataDir}.log`),
  })
  const pids = (): number[] => {
    const { parts } = JSON.parse(readFileSync(join(dataDir, 'renown.pid'), 'utf8'))
    return [child.pid, ...Object.values<number>(parts)]
  }
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok
  await waitFor(isReady, { what: 'the worker', timeoutMs: 120_000 })
  return {
    url,
    output: () => readFileSync(`${dataDir}.log`, 'utf8'),
    parts: () => pids().length - 1,
    async kill() {
      const all = pids()
      for (const pid of all) process.kill(pid, 'SIGKILL')
      await waitFor(() => !all.some(isAlive), { what: 'the killed to be gone' })
    },
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      return child.exited
    },
  }
}

testWith('MongoDB')(
  'two gateways leave jobs to workers, and when one worker is killed in the middle the other ends them all once',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'renown-roles-'))
    const keys = join(folder, 'keys')
    mkdirSync(keys)
    const clickhouse = await startClickhouseServer()
    const env = {
      MONGODB_URI: mongoUri() ?? '',
      CLICKHOUSE_URL: clickhouse.url,
      SECRETS_KEY_FILE: join(keys, 'secrets-key'),
      RENOWN_INGEST_SECRET_FILE: join(keys, 'ingest-secret'),
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
      LOG_LEVEL: 'info',
      LIMIT_OPERATIONS_PER_MINUTE: '1000000',
    }
    const gateway = (name: string) =>
      startProduct({ env: { ...env, RENOWN_ROLE: 'gateway' }, dataDir: join(folder, name), startMs: 180_000 })
    const gateways = await Promise.all([gateway('one'), gateway('two')])
    const workers: Awaited<ReturnType<typeof startWorker>>[] = []
    try {
      const [one, two] = gateways
      if (!one || !two) throw new Error('there are two')
      expect(one.facts.agency_id).toBe(two.facts.agency_id)
      expect(readdirSync(keys).sort()).toEqual(['ingest-secret', 'secrets-key'])
      for (const { output } of gateways) expect(output()).not.toContain('SECRETS_KEY is not set')
      expect(Object.keys(one.parts())).toEqual(['gateway'])

      const key = one.facts.agent_key ?? two.facts.agent_key
      const ask = async (url: string, name: string, body: object) => {
        const response = await fetch(`${url}/api/functions/${name}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
        return (await response.json()) as {
          report_id: string
          status: string
          total: number
          reports: { status: string }[]
        }
      }
      const report = (month: number) =>
        ask(one.facts.api_url, 'generateReport', {
          business_location_id: one.facts.location_id,
          period_start: `2026-0${month}-01`,
          period_end: `2026-0${month}-28`,
        })
      const states = async () =>
        (await ask(two.facts.api_url, 'getReportStatus', { limit: 100 })).reports.map(({ status }) => status)
      const jobs = async () => {
        const { stdout } = await two.renownProcess('job', 'list', '--json')
        return JSON.parse(stdout) as unknown
      }

      await report(1)
      // Gateways work on no job, so nothing of the tasks has run either.
      expect(await states()).toEqual(['queued'])
      expect(JSON.stringify(await jobs())).not.toContain('"running"')

      const first = await startWorker(env, join(folder, 'first'))
      workers.push(first)
      expect(first.parts()).toBe(1)
      await waitFor(async () => (await states()).every((state) => state === 'completed'), {
        what: 'the report of the worker',
        timeoutMs: 120_000,
      })
      await answersNothingElse(first.url)

      const second = await startWorker(env, join(folder, 'second'))
      workers.push(second)
      for (const month of [2, 3, 4, 5, 6, 7, 8]) await report(month)
      await waitFor(async () => (await states()).some((state) => state === 'rendering'), {
        what: 'a report that is being made',
        everyMs: 20,
        timeoutMs: 60_000,
      })
      await first.kill()
      await waitFor(async () => (await states()).every((state) => state === 'completed'), {
        what: 'all reports',
        timeoutMs: 180_000,
      })
      expect((await states()).length).toBe(8)
      expect(await second.stop()).toBe(0)
      expect(second.output()).not.toContain('a job failed')
      for (const product of gateways) expect(await product.stop()).toBe(0)
    } finally {
      for (const worker of workers) await worker.stop()
      await Promise.all(gateways.map((product) => product[Symbol.asyncDispose]()))
      await clickhouse.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  600_000,
)

/** The port of a worker says how it is, and has neither pages nor an API. */
async function answersNothingElse(url: string): Promise<void> {
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('renown_documents_up 1')
  for (const path of [
    '/',
    '/app',
    '/app/sign-in',
    '/api/surface',
    '/healthz',
    '/docs',
    '/internal/sites',
    '/p/x',
  ]) {
    const response = await fetch(url + path)
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/problem+json',
    ])
    expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 })
  }
  expect((await fetch(`${url}/readyz`, { method: 'POST' })).status).toBe(404)
}
