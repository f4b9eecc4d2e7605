import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProduct, startProduct } from '../support/product'
import { type Measured, measure } from './reads/load'

const leads = 200_000
const env = { LIMIT_READS_PER_MINUTE: '100000000', LOG_LEVEL: 'error' }
const q = encodeURIComponent(JSON.stringify({ stage: 'new' }))
const mongodb = process.env.RENOWN_TEST_MONGODB_URI

/**
 * What a read costs in CPU of the process that serves it, as a ratio to the least that could serve the same: the lead
 * list against a bare server of the same bytes, on MongoDB against the driver alone, daily rows against ClickHouse's
 * client alone.
 */
export async function run(): Promise<void> {
  console.log(`${cpus().length} shared cores, Bun ${Bun.version}, ${leads.toLocaleString('en')} leads\n`)
  await leadsOnSqlite()
  if (mongodb) await leadsOnMongo(mongodb)
  else console.log('RENOWN_TEST_MONGODB_URI is not set: leads on MongoDB are NOT measured\n')
}

async function leadsOnSqlite(): Promise<void> {
  await using place = temporary()
  const seeded = await seededProduct(place.folder, {}, (dataDir) => join(dataDir, 'documents.sqlite'))
  await using product = seeded.product
  const file = join(place.folder, 'page.json')
  await Bun.write(file, await fetch(listUrl(product), { headers: seeded.headers }))
  using bare = await startBare('bytes', file)
  const measured = await measure(
    [
      { name: 'a bare Bun.serve of the same bytes', pid: bare.pid, url: bare.url },
      {
        name: 'GET /api/entities/Lead, SQLite',
        pid: product.pid,
        url: listUrl(product),
        headers: seeded.headers,
      },
    ],
    2000,
  )
  report('50 leads on the embedded default (goal: 30 %)', measured)
}

async function leadsOnMongo(server: string): Promise<void> {
  await using place = temporary()
  const url = new URL(server)
  url.pathname = `/renown_bench_${process.pid}`
  const uri = url.toString()
  const seeded = await seededProduct(place.folder, { MONGODB_URI: uri }, () => uri)
  await using product = seeded.product
  using bare = await startBare('driver', uri, product.facts.workspace_id)
  const measured = await measure(
    [
      { name: "MongoDB's driver and Response.json", pid: bare.pid, url: bare.url },
      {
        name: 'GET /api/entities/Lead, MongoDB',
        pid: product.pid,
        url: listUrl(product),
        headers: seeded.headers,
      },
    ],
    500,
    3,
  )
  report('50 leads on MongoDB (goal: 70 %)', measured)
}

/** The product, started once to make its store and once more on the store full of leads. */
async function seededProduct(
  folder: string,
  more: Record<string, string>,
  target: (dataDir: string) => string,
) {
  const dataDir = join(folder, 'data')
  const first = await startProduct({ env: { ...env, ...more }, dataDir })
  const { facts } = first
  await first.stop()
  const script = join(import.meta.dir, 'reads/seed.ts')
  const words = [target(dataDir), facts.workspace_id, facts.location_id, String(leads)]
  const seeding = Bun.spawn([process.execPath, script, ...words], { stdio: ['ignore', 'inherit', 'inherit'] })
  if ((await seeding.exited) !== 0) throw new Error('the leads could not be written')
  const product = await startProduct({ env: { ...env, ...more }, dataDir })
  return { product, headers: { authorization: `Bearer ${facts.agent_key}` } }
}

async function startBare(...words: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'reads/bare.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout) {
    const port = /listening (\d+)/.exec(new TextDecoder().decode(chunk))?.[1]
    if (port)
      return { pid: child.pid, url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: () => child.kill() }
  }
  throw new Error('the bare server did not start')
}

const listUrl = ({ facts }: RunningProduct) => `${facts.api_url}/api/entities/Lead?q=${q}&limit=50`

function report(title: string, [base, ours]: readonly Measured[]): void {
  if (!base || !ours) return
  console.log(title)
  for (const { name, cpuUs, bytes } of [base, ours]) {
    console.log(
      `  ${name.padEnd(45)} ${cpuUs.toFixed(0).padStart(6)} µs CPU a request, ${bytes.toLocaleString('en')} bytes`,
    )
  }
  console.log(`  ${((100 * base.cpuUs) / ours.cpuUs).toFixed(0)} % of the bare rate\n`)
}

function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  return { folder, [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) }
}
