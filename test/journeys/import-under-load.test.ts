import { expect } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultyProxy } from '../support/faulty-proxy'
import { mongoUri } from '../support/mongo'
import { testWith } from '../support/needs'
import { startProduct } from '../support/product'
import { gatewayCalls, startRestartLoad } from '../support/restart-load'
import { passTime } from '../support/wait-for'

const rows = 40_000
const slowMs = 3_000

/** A record without a unique index but its id, of which a product makes few by itself. */
const rowOf = (place: number, workspaceId: string) => ({
  id: `use_import${String(place).padStart(8, '0')}`,
  workspace_id: workspaceId,
  created_date: '2026-11-20T12:00:00.000Z',
  updated_date: '2026-11-20T12:00:00.000Z',
  used: place,
  expires_at: '2036-11-20T12:00:00.000Z',
})

interface Line {
  readonly in?: string
  readonly row?: { readonly id: string }
}

/** Rows of the import in an export, by their id. */
function importedRows(file: string): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (!text.includes('use_import')) continue
    const { row } = JSON.parse(text) as Line
    if (row) found.set(row.id, [...(found.get(row.id) ?? []), row])
  }
  return found
}

testWith('a long run', 'MongoDB')(
  `an import of ${rows} rows into MongoDB, beside two gateways under load and while it is slow at times, stores each once`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'renown-import-load-'))
    const target = new URL(mongoUri() ?? '')
    const proxy = faultyProxy(target.hostname, Number(target.port || 27017), slowMs)
    target.host = `127.0.0.1:${proxy.port}`
    target.searchParams.set('directConnection', 'true')
    const env = {
      MONGODB_URI: target.href,
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
      LOG_LEVEL: 'warn',
      LIMIT_READS_PER_MINUTE: '1000000',
      LIMIT_OPERATIONS_PER_MINUTE: '1000000',
      REQUEST_CPU_MS_PER_SECOND: '0',
    }
    const startMs = 180_000
    const products = [await startProduct({ env, startMs }), await startProduct({ env, startMs })]
    const [one] = products
    if (!one) throw new Error('there are two')
    const { agent_key: key, agency_id } = one.facts
    const calls = products.flatMap(({ facts }, place) =>
      Object.entries(gatewayCalls(facts.api_url, key)).map(
        ([kind, call]) => [`${kind} at ${place}`, call] as const,
      ),
    )
    const load = startRestartLoad(Object.fromEntries(calls))
    let isOver = false
    let slowTimes = 0
    const slowing = (async () => {
      while (!isOver) {
        await passTime(6_000)
        proxy.set('slow')
        slowTimes++
        await passTime(4_000)
        proxy.set('none')
      }
    })()
    try {
      const before = join(folder, 'before.ndjson')
      expect(await one.renown('data', 'export', before)).toMatchObject({ code: 0, stderr: '' })
      const header = { ...JSON.parse(readFileSync(before, 'utf8').split('\n')[0] ?? ''), parts: ['UsageDay'] }
      const lines = Array.from({ length: rows }, (_, place) => ({
        in: 'UsageDay',
        row: rowOf(place, agency_id),
      }))
      const all = [header, ...lines, { end: true, counts: { UsageDay: rows } }]
      const file = join(folder, 'rows.ndjson')
      writeFileSync(file, `${all.map((line) => JSON.stringify(line)).join('\n')}\n`)
      const imported = await one.renown('data', 'import', file, '--merge', '--json')
      process.stdout.write(
        `${imported.stdout}${imported.stderr}${JSON.stringify({ slowTimes, ...load.answered })}\n`,
      )
      expect(imported.code).toBe(0)
      expect(JSON.parse(imported.stdout)).toMatchObject({ inserted: rows, skipped: 0, conflicts: 0 })
      isOver = true
      await slowing
      await load.stop()
      const after = join(folder, 'after.ndjson')
      expect(await one.renown('data', 'export', after)).toMatchObject({ code: 0 })
      const found = importedRows(after)
      expect(found.size).toBe(rows)
      const wrong = lines.filter(({ row }) => !Bun.deepEquals(found.get(row.id), [row]))
      expect(wrong).toEqual([])
      expect(slowTimes).toBeGreaterThan(0)
      expect(products.map((product) => product.output().includes('ended unexpectedly'))).toEqual([
        false,
        false,
      ])
      expect(Object.keys(load.failures()).filter((what) => !what.includes(': 503 '))).toEqual([])
    } finally {
      isOver = true
      await slowing
      await load.stop()
      proxy.set('none')
      await Promise.all(products.map((product) => product[Symbol.asyncDispose]()))
      proxy.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  900_000,
)
