import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { importSource } from '../../core/cli/import/import-run'
import { openSource } from '../../core/cli/import/import-source'
import { link } from '../../core/cli/link'
import { readSettings } from '../../core/contracts/settings'
import { hitsTable, touchedTable } from '../../core/contracts/traffic'
import { createAdmin } from '../../core/product/admin'
import { openColumns } from '../../core/stores/columns/client'
import { createIngest } from '../../ingest'
import { site } from '../ingest/support/ingest'
import { silentLog } from '../ingest/support/journal'
import { measured } from '../support/cpu'
import { drawnLine } from '../support/drawn-line'

const siteCount = 200

/**
 * `bun run bench sites [lines]`: logs of 200 sites, every second line an agent's, imported one after another into one
 * ingest, to rows of ClickHouse. CPU is that of the whole process: command, ingest, flusher and embedded ClickHouse.
 */
export async function run(): Promise<void> {
  const lines = Number(process.argv[3] ?? 2_000_000)
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-sites-'))
  try {
    const perSite = Math.ceil(lines / siteCount)
    const logs = await writeLogs(folder, perSite)
    const path = join(folder, 'columns')
    const columns = await openColumns({ path }, { log: silentLog })
    await columns.ensure([hitsTable, touchedTable])
    const directory = join(folder, 'ingest')
    mkdirSync(directory)
    const sites = Array.from({ length: siteCount }, (_, n) => ({
      ...site,
      site_id: `site_${n}`,
      site_key: `key${n}`,
      forwarder_token_hash: `${n}`.padStart(64, '0'),
    }))
    const ingest = await createIngest({
      settings: readSettings({ JOURNAL_BYTES_MAX: String(2 ** 40), DISK_FREE_BYTES_MIN: '0' }),
      columns: { path },
      directory,
      sites: { sites },
      now: () => new Date(),
      log: silentLog,
      fetch: (async () => new Response(null, { status: 503 })) as unknown as typeof fetch,
    })
    const admin = createAdmin({
      ingest: async () => ingest,
      sites: async () => ({ sites }),
    } as unknown as Parameters<typeof createAdmin>[0])
    const spent = { imported: { cpuMs: 0, wallMs: 0 }, flushed: { cpuMs: 0, wallMs: 0 } }
    spent.imported = await measured(async () => {
      for (const [n, { site_id: siteId }] of sites.entries()) {
        await importSource({
          link: link(false, admin, async () => {}),
          source: sourceOf(logs[n % logs.length] ?? ''),
          siteId,
          dataFolder: directory,
          now: () => new Date(),
          isStopping: () => false,
          onProgress: () => {},
        })
      }
    })
    spent.flushed = await measured(() => ingest.flush())
    const [row] = await columns.query<{ n: number }>(
      "SELECT sum(hits) AS n FROM traffic_hits WHERE kind = 'crawl'",
    )
    const total = perSite * siteCount
    console.log(`${row?.n} hits of ${total} lines, ${siteCount} sites`)
    for (const [what, { cpuMs, wallMs }] of Object.entries(spent))
      console.log(
        `${what}: ${((1_000 * cpuMs) / total).toFixed(2)} µs CPU a line, ${(wallMs / 1_000).toFixed(1)} s`,
      )
    const cpuMs = spent.imported.cpuMs + spent.flushed.cpuMs
    console.log(`${((1_000 * cpuMs) / total).toFixed(2)} µs CPU a line in all (goal: at most 15)`)
    await ingest.stop()
    await columns.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const sourceOf = (path: string) => openSource(path, () => (async function* () {})())

/** Ten different logs, so that not all sites have the same pages. */
async function writeLogs(folder: string, lines: number): Promise<string[]> {
  const paths: string[] = []
  for (let n = 0; n < 10; n++) {
    const path = join(folder, `access-${n}.log.gz`)
    const text = Array.from({ length: lines }, (_, line) => drawnLine(n * lines + line)).join('\n')
    const file = createWriteStream(path)
    file.end(gzipSync(`${text}\n`))
    await new Promise((resolve) => file.once('close', resolve))
    paths.push(path)
  }
  return paths
}
