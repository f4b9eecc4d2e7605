import { expect } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../support/first-line'
import { mongoUri } from '../support/mongo'
import { electionMs, type MongoFault, startMongoProxy } from '../support/mongo-proxy'
import { testWith } from '../support/needs'
import { type OutageLoad, startOutageLoad } from '../support/outage-load'
import { type RunningProduct, startProduct } from '../support/product'
import { findProgram } from '../support/programs'
import { passTime, waitFor } from '../support/wait-for'

const lateMs = 10_000
const startMs = 120_000
/** Enough for a client to notice that a server does not answer. */
const shortMs = 9_000
/** Longer than each limit of the client and its watchdog. */
const longMs = 30_000
const rounds = Number(process.env.RENOWN_OUTAGES ?? 20)

/** A client on Node through the same proxy. */
function startControl(uri: string) {
  const child = Bun.spawn(
    [findProgram('node') ?? 'node', join(import.meta.dir, '../support/mongo-control.cjs'), uri],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const state = { answered: [] as number[], lastFault: 'none', exit: null as number | null }
  const read = async () => {
    let rest = ''
    for await (const piece of child.stdout) {
      // A line can come in two pieces.
      const lines = `${rest}${new TextDecoder().decode(piece)}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (/^\d+$/.test(line)) state.answered.push(Number(line))
        else state.lastFault = line
      }
    }
    state.exit = await child.exited
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

const rowsOf = async <T>({ facts }: RunningProduct, key: string, entity: string): Promise<T[]> => {
  const response = await fetch(`${facts.api_url}/api/entities/${entity}?limit=500`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return (await response.json()) as T[]
}

/** Waits until every product reads, writes and accepts hits again. Returns how much later than the control that was. */
async function lateness(
  loads: readonly OutageLoad[],
  { state }: ReturnType<typeof startControl>,
  mended: number,
) {
  const firsts = () =>
    [state.answered, ...loads.flatMap(({ answered }) => Object.values(answered))].map((times) =>
      times.find((time) => time > mended),
    )
  await waitFor(() => firsts().every((time) => time !== undefined), {
    what: 'the client on Node and every product',
    timeoutMs: 60_000,
  }).catch((error: Error) => {
    const seen = JSON.stringify(firsts().map((time) => (time === undefined ? null : time - mended)))
    throw new Error(`${error.message}: ${seen}, control: ${state.lastFault}, exit ${state.exit}`)
  })
  const [control = 0, ...others] = firsts().map((time) => (time ?? 0) - mended)
  return { control, late: Math.max(...others) - control }
}

/** Lets MongoDB fail under load, and judges what two products did. */
async function outage(faults: readonly MongoFault[], faultMs: number, isSet: boolean) {
  const proxy = await startMongoProxy(mongoUri() ?? '', { isSet })
  // Both count into one ClickHouse. Two processes with one MongoDB and a ClickHouse each would overwrite daily rows.
  const columns = await startColumns()
  const env = {
    MONGODB_URI: proxy.uri,
    CLICKHOUSE_URL: `http://127.0.0.1:${columns.port}/renown`,
    RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
    LOG_LEVEL: 'warn',
    LIMIT_READS_PER_MINUTE: '1000000',
    LIMIT_OPERATIONS_PER_MINUTE: '1000000',
  }
  // One after the other, because the first start makes every collection and its indexes.
  const first = await startProduct({ env, startMs })
  const products = [first, await startProduct({ env, startMs })]
  const control = startControl(proxy.uri)
  const parts = products.map((product) => product.parts())
  const { agent_key: key, forwarder_token: token, location_id: location } = first.facts
  const loads = products.map(({ facts }) =>
    startOutageLoad({ api: facts.api_url, ingest: facts.ingest_url, key, token }),
  )
  const reports: Promise<string>[] = []
  const figures: unknown[] = []
  try {
    const isHeard = () =>
      [control.state.answered, ...loads.flatMap(({ answered }) => Object.values(answered))].every(
        (times) => times.length > 0,
      )
    await waitFor(isHeard, { what: 'everything to work before the first fault' })
    for (const [round, fault] of faults.entries()) {
      const day = new Date(Date.UTC(2026, 0, 1 + round)).toISOString().slice(0, 10)
      const load = loads[round % loads.length] as OutageLoad
      await proxy.begin(fault)
      const report = load.report(location, day)
      report.catch(() => undefined)
      reports.push(report)
      // A set that stepped down works again when the other member is elected, whatever the test ends.
      await passTime(fault === 'step-down' ? electionMs : faultMs)
      await proxy.end()
      const { control: controlMs, late } = await lateness(loads, control, Date.now())
      figures.push({ round, fault, controlMs, late })
      process.stdout.write(`${JSON.stringify(figures.at(-1))}\n`)
      expect([round, fault, late < lateMs]).toEqual([round, fault, true])
      await passTime(1_000)
    }
    const ids = await Promise.all(reports)
    await Promise.all(loads.map((load) => load.stop()))
    process.stdout.write(`${JSON.stringify(loads.map(({ counts }) => counts))}\n`)
    expect(loads.flatMap(({ wrong }) => wrong)).toEqual([])
    for (const product of products) expect(product.output()).not.toContain('a request failed')
    // Nothing was started again.
    expect(products.map((product) => product.parts())).toEqual(parts)
    // Each report that was asked for is there once, and made.
    const made = () => rowsOf<{ id: string; status: string }>(first, key, 'Report')
    const unmade = async () => (await made()).filter(({ status }) => status !== 'completed')
    const isOver = async () => (await unmade()).every(({ status }) => status === 'failed')
    await waitFor(isOver, { what: 'the reports', timeoutMs: 300_000, everyMs: 500 }).catch(() => undefined)
    expect(await unmade()).toEqual([])
    expect((await made()).map(({ id }) => id).sort()).toEqual(ids.sort())
    const accepted = loads.reduce((sum, load) => sum + load.accepted(), 0)
    for (const product of products) {
      const counted = async () => {
        const rows = await rowsOf<{ crawler_hits: number }>(product, key, 'AiTrafficDaily')
        return rows.reduce((sum, row) => sum + row.crawler_hits, 0)
      }
      const areAll = async () => (await counted()) >= accepted
      await waitFor(areAll, { what: 'the last hits', timeoutMs: 40_000, everyMs: 500 })
      expect(await counted()).toBe(accepted)
    }
  } finally {
    control.stop()
    // A stopped server would hold up the end of the load and of the products.
    await proxy.end()
    await Promise.all(loads.map((load) => load.stop()))
    await Promise.all(products.map((product) => product[Symbol.asyncDispose]()))
    await proxy.stop()
    await columns.stop()
  }
}

const repeated = (faults: readonly MongoFault[]): MongoFault[] =>
  Array.from({ length: rounds }, () => faults).flat()

testWith('MongoDB', 'node')(
  'MongoDB is killed, silent and slow under load: two products come back by themselves, no later than a client on Node',
  () => outage(['killed', 'silent', 'slow'], shortMs, false),
  400_000,
)

testWith('a long run', 'MongoDB', 'node')(
  `a MongoDB server fails ${4 * rounds} times under load, and two products come back by themselves`,
  () => outage(repeated(['killed', 'stopped', 'silent', 'slow']), longMs, false),
  10_800_000,
)

testWith('a long run', 'MongoDB', 'node')(
  `a replica set steps down ${rounds} times and fails ${4 * rounds} times under load, and two products bridge it`,
  () => outage(repeated(['step-down', 'killed', 'stopped', 'silent', 'slow']), longMs, true),
  10_800_000,
)
