import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CountedHit, hitsTable, touchedTable } from '../../core/contracts/traffic'
import { openColumns } from '../../core/stores/columns/client'
import { aggregate } from '../../ingest/flush/aggregate'
import { connectClickhouse } from '../../ingest/flush/clickhouse'
import { flushSegment } from '../../ingest/flush/flush-segment'
import { createFlusher } from '../../ingest/flush/flusher'
import { openJournal } from '../../ingest/journal/journal'
import { readSegment } from '../../ingest/journal/segment'
import { measured } from '../support/cpu'
import { draw, drawnAgents } from '../support/drawn'
import { quietLog } from '../support/quiet-log'

const hits = Number(process.env.BENCH_HITS ?? 600_000)
const batch = 1_000
const now = () => new Date()

/** Hits a second from journal to ClickHouse, and our processor time beside that of ClickHouse's own inserts. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'renown-bench-flush-'))
  const path = join(folder, 'columns')
  const main = await openColumns({ path }, { log: quietLog })
  await main.ensure([hitsTable, touchedTable])
  await main.query('SELECT 1')

  const flushed = await measured(() => endToEnd(folder, path))
  const making = await measured(async () => {
    for (let done = 0; done < hits; done += batch) batchFrom(done)
  })
  const cpuMs = flushed.cpuMs - making.cpuMs
  const [row] = await main.query<{ n: number; bytes: number }>(
    `SELECT (SELECT sum(hits) FROM traffic_hits WHERE kind = 'crawl') AS n,
       (SELECT sum(bytes_on_disk) FROM system.parts WHERE table = 'traffic_hits' AND active) AS bytes`,
  )
  const own = await insertsAlone(folder, path)
  await main.close()
  await rm(folder, { recursive: true })

  const each = (cpuMs: number) => ((cpuMs * 1000) / hits).toFixed(2)
  console.log(
    `hits in ClickHouse: ${row?.n} of ${hits}, ${((row?.bytes ?? 0) / hits).toFixed(1)} bytes each on disk`,
  )
  console.log(
    `journal to ClickHouse: ${Math.round(hits / (flushed.wallMs / 1000)).toLocaleString('en')} hits/s`,
  )
  console.log(`processor time a hit: ${each(cpuMs)} µs in all, ${each(own)} µs of it ClickHouse's own insert`)
  console.log(`ours / ClickHouse's own: ${((cpuMs - own) / own).toFixed(2)} (goal: at most 1)`)
}

const batchFrom = (first: number) => Array.from({ length: batch }, (_, n) => hitOf(first + n))

async function endToEnd(folder: string, path: string) {
  const journal = await openJournal({ directory: folder, now, log: quietLog })
  const flusher = createFlusher({ directory: folder, target: { path }, now, log: quietLog })
  for (let done = 0; done < hits; done += batch) {
    await journal.append({ hits: batchFrom(done) })
  }
  await journal.stop()
  await flusher.drain()
  await flusher.stop()
}

/** The same rows, made before the clock starts, straight into another database. */
async function insertsAlone(folder: string, path: string): Promise<number> {
  const target = { path, database: 'alone' }
  const store = await openColumns(target, { log: quietLog })
  await store.ensure([hitsTable, touchedTable])
  const clickhouse = await connectClickhouse(target)
  const done = join(folder, 'done')
  let cpuMs = 0
  for (const name of await readdir(done)) {
    const segment = readSegment(await Bun.file(join(done, name)).bytes())
    const aggregated = await measured(async () => void aggregate(name, segment))
    const whole = await measured(() => flushSegment(clickhouse, name, segment, false))
    cpuMs += Math.max(0, whole.cpuMs - aggregated.cpuMs)
  }
  await clickhouse.close()
  await store.close()
  return cpuMs
}

/** 500 sites, 8 agents, 5,000 paths of which few are asked for often: hardly two hits of a segment are alike. */
function hitOf(n: number): CountedHit {
  const path = Math.floor(5000 ** draw(n, 1))
  const verdict = draw(n, 2) < 0.6 ? 'verified' : 'unchecked'
  return {
    kind: 'crawl',
    site_id: `sit_01JD8Q4ZK9N6W3V5T7R2X1Y${String(Math.floor(draw(n, 3) * 500)).padStart(3, '0')}`,
    date: n % 50 ? '2026-11-20' : '2026-11-19',
    agent: drawnAgents[Math.floor(draw(n, 4) * drawnAgents.length)] ?? 'GPTBot',
    category: 'training',
    operator: 'OpenAI',
    path: `/blog/posts/${path}/a-title-of-some-length-${path}`,
    verdict,
    ts: 1_763_640_000_000 + n,
  }
}
