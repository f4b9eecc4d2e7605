import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../support/first-line'
import { type ProductFacts, type RunningProduct, startProduct } from '../support/product'
import { type Measured, measure } from './reads/load'

const leads = Number(process.env.RENOWN_BENCH_LEADS ?? 200_000)
/** The server for tests is no MongoDB: it takes minutes for what MongoDB takes seconds. Both sides read from it alike. */
const leadsOnServer = Math.min(leads, 20_000)
const env = {
  LIMIT_READS_PER_MINUTE: '100000000',
  LOG_LEVEL: 'error',
  RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
}
const mongodb = process.env.RENOWN_TEST_MONGODB_URI

/**
 * What a read costs in CPU of the process that serves it, as a ratio to the least that could serve the same: the lead
 * list against a bare server of the same bytes, on MongoDB against the driver alone, daily rows against ClickHouse's
 * client alone.
 */
export async function run(): Promise<void> {
  console.log(`${cpus().length} shared cores, Bun ${Bun.version}, ${leads.toLocaleString('en')} leads\n`)
  await leadsOnSqlite()
  await dailyRows()
  if (mongodb) await leadsOnMongo(mongodb)
  else console.log('RENOWN_TEST_MONGODB_URI is not set: leads on MongoDB are NOT measured\n')
}

async function leadsOnSqlite(): Promise<void> {
  await using place = await emptyProduct({})
  const { facts, dataDir } = place
  await seed(
    'seed.ts',
    join(dataDir, 'documents.sqlite'),
    facts.workspace_id,
    facts.location_id,
    String(leads),
  )
  await using product = await startProduct({ env, dataDir })
  const ours = leadList(product, facts)
  const file = join(place.folder, 'page.json')
  await Bun.write(file, await fetch(ours.url, { headers: ours.headers }))
  using bytes = await startBare('bytes', file)
  using text = await startBare('text', file)
  const measured = await measure(
    [
      { ...bytes, name: 'bare Bun.serve, the same bytes' },
      { ...text, name: 'bare Bun.serve, the same as a string' },
      { ...ours, anew: spelling(ours.url), name: 'GET /api/entities/Lead, each filter a new one' },
      { ...ours, name: 'GET /api/entities/Lead' },
      {
        ...ours,
        headers: { ...ours.headers, 'accept-encoding': 'gzip' },
        name: 'GET /api/entities/Lead, with gzip',
      },
    ],
    2000,
  )
  const [first, second, anew, known, packed] = measured as Measured[] as [
    Measured,
    Measured,
    Measured,
    Measured,
    Measured,
  ]
  report('50 leads on the embedded default, read from SQLite each time (goal: 30 % of bare)', [
    first,
    second,
    known,
  ])
  report('The same list, compressed with gzip', [first, second, packed])
  report('The same with a filter that was never asked before', [first, second, anew])
}

/** The same filter in 27,000 spellings, so that each is parsed and compiled anew. */
function spelling(url: string): () => string {
  let turn = 0
  return () => {
    const n = turn++
    const space = (place: number) => '%20'.repeat(Math.floor(n / 30 ** place) % 30)
    return url
      .replace('?q=', `?q=${space(0)}`)
      .replace('%3A', `%3A${space(1)}`)
      .replace('&limit', `${space(2)}&limit`)
  }
}

async function leadsOnMongo(server: string): Promise<void> {
  const url = new URL(server)
  url.pathname = `/renown_bench_${process.pid}`
  const uri = url.toString()
  await using place = await emptyProduct({ MONGODB_URI: uri })
  const { facts, dataDir } = place
  await seed('seed.ts', uri, facts.workspace_id, facts.location_id, String(leadsOnServer))
  await using product = await startProduct({ env: { ...env, MONGODB_URI: uri }, dataDir })
  using driver = await startBare('driver', uri, facts.workspace_id)
  const ours = leadList(product, facts)
  const measured = await measure(
    [
      { ...driver, name: "MongoDB's driver and Response.json" },
      { ...ours, name: 'GET /api/entities/Lead, MongoDB' },
    ],
    400,
  )
  report('50 leads on MongoDB (goal: 70 % of the driver)', measured)
}

async function dailyRows(): Promise<void> {
  await using place = await emptyProduct({})
  const { facts, dataDir } = place
  const columns = join(dataDir, 'columns')
  await seed('seed-daily.ts', columns, facts.workspace_id, facts.site_id)
  const measured: Measured[] = []
  {
    using bare = await startBare('columns', columns, facts.site_id)
    measured.push(...(await measure([{ ...bare, name: "ClickHouse's client alone" }], 150)))
  }
  await using product = await startProduct({ env, dataDir })
  const q = encodeURIComponent(JSON.stringify({ site_id: facts.site_id, date: { $gte: '2026-01-01' } }))
  const url = `${product.facts.api_url}/api/entities/AiTrafficDaily?q=${q}`
  const name = 'GET /api/entities/AiTrafficDaily, chDB'
  measured.push(
    ...(await measure([{ name, pid: product.parts().gateway, url, headers: bearer(facts) }], 150)),
  )
  report(
    '90 daily rows of one site among 1,000 (goal: 67 % of the client, that is 1.5 times its CPU)',
    measured,
  )
}

/** A data folder as the first start leaves it. */
async function emptyProduct(more: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const dataDir = join(folder, 'data')
  const product = await startProduct({ env: { ...env, ...more }, dataDir })
  await product.stop()
  const remove = async () => rmSync(folder, { recursive: true, force: true })
  return { folder, dataDir, facts: product.facts, [Symbol.asyncDispose]: remove }
}

async function seed(script: string, ...words: string[]): Promise<void> {
  const run = Bun.spawn([process.execPath, join(import.meta.dir, 'reads', script), ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if ((await run.exited) !== 0) throw new Error(`${script} failed`)
}

const bearer = (facts: ProductFacts) => ({ authorization: `Bearer ${facts.agent_key}` })

function leadList(product: RunningProduct, facts: ProductFacts) {
  const q = encodeURIComponent(JSON.stringify({ stage: 'new' }))
  const url = `${product.facts.api_url}/api/entities/Lead?q=${q}&limit=50`
  return { pid: product.parts().gateway, url, headers: bearer(facts) }
}

async function startBare(...words: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'reads/bare.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = /listening (\d+)/.exec(await firstLine(child.stdout))?.[1]
  if (port) return { pid: child.pid, url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: () => child.kill() }
  throw new Error('the bare server did not start')
}

function report(title: string, measured: readonly Measured[]): void {
  const ours = measured.at(-1)
  console.log(title)
  for (const { name, cpuUs, bytes } of measured) {
    const share = ours && ours.name !== name ? `  we reach ${((100 * cpuUs) / ours.cpuUs).toFixed(0)} %` : ''
    console.log(
      `  ${name.padEnd(38)} ${cpuUs.toFixed(0).padStart(6)} µs CPU, ${bytes.toLocaleString('en')} bytes${share}`,
    )
  }
  console.log()
}
