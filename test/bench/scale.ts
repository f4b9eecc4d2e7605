import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OwnerContext } from '../../core/contracts/plugin'
import { type CountedHit, hitsTable, touchedTable } from '../../core/contracts/traffic'
import { openColumns } from '../../core/stores/columns/client'
import { connectClickhouse } from '../../ingest/flush/clickhouse'
import { flushSegment } from '../../ingest/flush/flush-segment'
import { createFrameBuilder } from '../../ingest/journal/frame-builder'
import { readSegment } from '../../ingest/journal/segment'
import { dailyTable } from '../../plugins/traffic/records/dailyTable'
import { sweepTable } from '../../plugins/traffic/records/sweepTable'
import { sealDays } from '../../plugins/traffic/sealing/sealDays'
import { draw, drawnAgents } from '../support/drawn'
import { quietLog } from '../support/quiet-log'

const hits = Number(process.env.BENCH_HITS ?? 1_000_000)
const days = 10
const perSegment = 20_000
const paths = 5_000

/** What a million hits take: bytes in the journal, rows and bytes in detail and sealed, by how many sites share them. */
export async function run(): Promise<void> {
  for (const sites of (process.env.BENCH_SITES ?? '1,100,1000').split(',').map(Number)) await measured(sites)
}

async function measured(sites: number) {
  const folder = await mkdtemp(join(tmpdir(), 'renown-bench-scale-'))
  const target = { path: join(folder, 'columns'), database: `sites${sites}` }
  const store = await openColumns(target, { log: quietLog })
  await store.ensure([hitsTable, touchedTable, dailyTable, sweepTable])
  const clickhouse = await connectClickhouse(target)
  let journal = 0
  for (let first = 0; first < hits; first += perSegment) {
    const builder = createFrameBuilder()
    for (let n = first; n < first + perSegment; n++) builder.addHit({ ...hitOf(n, sites), id: n * 7_919 + 1 })
    const bytes = builder.take()
    journal += bytes.length
    await flushSegment(clickhouse, `seg-${first}`, readSegment(bytes), false)
  }
  const list = async () =>
    Array.from({ length: sites }, (_, n) => ({
      id: siteId(n),
      workspace_id: `wsp_${n}`,
      location_id: `loc_${n}`,
      timezone: 'UTC',
    }))
  const ctx = {
    columns: store,
    log: quietLog,
    now: () => new Date(),
    rows: () => ({ list, update: async () => {} }),
  }
  const began = performance.now()
  // Each run seals at most so many days.
  for (let round = 0; round * 2_000 < sites * days; round++) {
    await sealDays.run(ctx as unknown as OwnerContext, new AbortController().signal)
  }
  const sealingMs = performance.now() - began
  for (const { name } of [hitsTable, dailyTable]) await store.query(`OPTIMIZE TABLE ${name} FINAL`)
  const hit = await sizeOf(store, hitsTable.name)
  const day = await sizeOf(store, dailyTable.name)
  const million = (n: number) => Math.round((n * 1e6) / hits).toLocaleString('en')
  console.log(
    `${sites} sites, ${days} days, ${hits.toLocaleString('en')} hits: journal ${(journal / hits).toFixed(1)} B a hit; ` +
      `detail ${million(hit.rows)} rows a million hits, ${(hit.bytes / hits).toFixed(2)} B a hit; ` +
      `sealed ${day.rows.toLocaleString('en')} rows, ${Math.round(day.bytes / day.rows)} B a row, ${(day.bytes / hits).toFixed(2)} B a hit, ` +
      `${(sealingMs / day.rows).toFixed(1)} ms a row`,
  )
  await clickhouse.close()
  await store.close()
  await rm(folder, { recursive: true })
}

async function sizeOf(store: Awaited<ReturnType<typeof openColumns>>, table: string) {
  const [size] = await store.query<{ rows: number; bytes: number }>(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE database = currentDatabase() AND table = '${table}' AND active`,
  )
  return { rows: Number(size?.rows), bytes: Number(size?.bytes) }
}

const siteId = (n: number) => `sit_01JD8Q4ZK9N6W3V5T7R2X1${String(n).padStart(4, '0')}`

/** Hits come in order of time; sites, agents and paths are asked for unevenly, as they are. */
function hitOf(n: number, sites: number): CountedHit {
  const at = Date.UTC(2026, 10, 1) + Math.floor((n / hits) * days * 86_400_000)
  const path = Math.floor(paths ** draw(n, 1))
  return {
    kind: 'crawl',
    site_id: siteId(Math.floor(sites * draw(n, 3) ** 2)),
    date: new Date(at).toISOString().slice(0, 10),
    agent: drawnAgents[Math.floor(drawnAgents.length * draw(n, 4) ** 2)] ?? 'GPTBot',
    category: 'training',
    operator: 'OpenAI',
    path: `/blog/posts/${path}/a-title-of-some-length-${path}`,
    verdict: draw(n, 2) < 0.6 ? 'verified' : 'unchecked',
    ts: at,
  }
}
