import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../support/product'
import { mix, pathOf, pathsOf, siteId, tokenOf, uneven } from './bigread/mix'
import { measure } from './reads/load'

const hits = Number(process.env.BENCH_HITS ?? 100_000_000)
const sites = Number(process.env.BENCH_SITES ?? Math.max(10, hits / 10_000))
/** A folder that is kept, and taken as it is where an earlier run has filled it. */
const kept = process.env.BENCH_FOLDER
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const readsPerSecond = 20
const rowsPerSecond = 5_000
const batch = 100

const env = {
  LIMIT_READS_PER_MINUTE: '100000000',
  LOG_LEVEL: 'error',
  RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
}

interface Facts {
  readonly workspace_id: string
  readonly site_id: string
  readonly agent_key: string
  readonly forwarder_token: string
}

/**
 * Ninety days of the biggest of 10,000 sites over a hundred million hits, read through the gateway while 5,000 rows a
 * second come in, beside what the same answer costs when it is worked out from the hits. BENCH_HITS, BENCH_SITES, BENCH_SECONDS
 * and BENCH_FOLDER say otherwise.
 */
export async function run(): Promise<void> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'renown-bench-bigread-'))
  const dataDir = join(folder, 'data')
  const known = join(folder, 'facts.json')
  try {
    if (!existsSync(known)) await fill(dataDir, known)
    const facts = (await Bun.file(known).json()) as Facts
    const { aloneMs, latencies, accepted } = await readUnderLoad(dataDir, facts)
    const words = await script('aggregate.ts', join(dataDir, 'columns'), facts.site_id)
    const { cpuMs, wallMs, days, same } = JSON.parse(words) as Record<string, number>
    const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1]?.toFixed(1)
    console.log(
      `reads under ${Math.round(accepted / seconds).toLocaleString('en')} rows/s: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms of ${latencies.length} (goal: p99 at most 50)`,
    )
    console.log(`a read takes ${aloneMs.toFixed(1)} ms of CPU, everything in it`)
    console.log(
      `worked out from the hits it takes ${cpuMs?.toFixed(0)} ms of CPU, ${wallMs?.toFixed(0)} ms by the clock`,
    )
    console.log(
      `that is ${((cpuMs ?? 0) / aloneMs).toFixed(0)} times as much (goal: at least 30); ${same} of ${days} days say the same`,
    )
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(dataDir: string, known: string) {
  console.log(
    `${hits.toLocaleString('en')} hits over ${sites.toLocaleString('en')} sites and ${mix.days} days`,
  )
  const product = await startProduct({ env, dataDir })
  const { workspace_id, site_id, agent_key, forwarder_token } = product.facts
  await product.stop()
  await script('seed.ts', dataDir, workspace_id, site_id, String(hits), String(sites))
  await Bun.write(known, JSON.stringify({ workspace_id, site_id, agent_key, forwarder_token }))
}

async function script(name: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'bigread', name), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk
    if (name === 'seed.ts') process.stdout.write(chunk)
  }
  if ((await child.exited) !== 0) throw new Error(`${name} failed`)
  return said
}

async function readUnderLoad(dataDir: string, facts: Facts) {
  await using product = await startProduct({ env, dataDir })
  const from = new Date(Date.now() - mix.days * 86_400_000).toISOString().slice(0, 10)
  const q = encodeURIComponent(JSON.stringify({ site_id: facts.site_id, date: { $gte: from } }))
  const url = `${product.facts.api_url}/api/entities/AiTrafficDaily?q=${q}`
  const headers = { authorization: `Bearer ${facts.agent_key}` }
  const [alone] = await measure([{ name: 'GET', pid: product.parts().gateway, url, headers }], 100)
  const end = performance.now() + seconds * 1_000
  const loading = load(product.facts.ingest_url, facts, end)
  const latencies: number[] = []
  await paced(readsPerSecond, end, async () => {
    const began = performance.now()
    const response = await patient(() => fetch(url, { headers }))
    const rows = (await response.json()) as unknown[]
    if (!response.ok || rows.length < mix.days) throw new Error(`a read was answered ${response.status}`)
    latencies.push(performance.now() - began)
  })
  const accepted = await loading
  return { aloneMs: (alone?.cpuUs ?? 0) / 1_000, latencies: latencies.sort((a, b) => a - b), accepted }
}

/** Batches of all sites, the big ones more often. */
async function load(ingestUrl: string, facts: Facts, end: number): Promise<number> {
  let accepted = 0
  let refused = 0
  await paced(rowsPerSecond / batch, end, async () => {
    const rank = uneven(sites, Math.random())
    const ts = new Date().toISOString()
    const lines = Array.from({ length: batch }, () => {
      const [agent] = mix.agents[Math.floor(mix.agents.length * Math.random() ** 2)] ?? mix.agents[0]
      const path = pathOf(uneven(pathsOf(rank), Math.random()))
      return JSON.stringify({ ts, ip: null, method: 'GET', path, status: 200, ua: `${agent}/1.0` })
    })
    const headers = {
      authorization: `Bearer ${tokenOf(rank, facts.forwarder_token)}`,
      'idempotency-key': crypto.randomUUID(),
    }
    const body = lines.join('\n')
    const send = () => patient(() => fetch(`${ingestUrl}/v1/hits`, { method: 'POST', headers, body }))
    let response = await send()
    for (; response.status === 503; response = await send()) {
      refused++
      await Bun.sleep(1_000)
    }
    if (!response.ok)
      throw new Error(`a batch of ${siteId(rank, facts.site_id)} was answered ${response.status}`)
    accepted += ((await response.json()) as { accepted: number }).accepted
  })
  if (refused > 0)
    console.log(`${refused} batches were told to come again: the machine was too busy for its disk`)
  return accepted
}

/** A kept-alive connection may be closed just as it is used again. */
const patient = (ask: () => Promise<Response>) => ask().catch(ask)

/** So many begin each second, whether earlier ones are done or not. */
async function paced(perSecond: number, end: number, work: () => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  for (let n = 0; performance.now() < end; n++) {
    await Bun.sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()))
    const one = work().finally(() => underWay.delete(one))
    underWay.add(one)
  }
  await Promise.all(underWay)
}
