import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReadContext, where } from 'renown'
import * as v from 'valibot'
import { readContext } from '../../core/contexts/context'
import { createSources } from '../../core/contexts/sources'
import { tenancy } from '../../core/product/tenancy-plugin'
import { openColumns } from '../../core/stores/columns/client'
import type { ColumnsStore } from '../../core/stores/columns/port'
import type { Documents } from '../../core/stores/documents/port'
import traffic from '../../plugins/traffic'
import { getAiTrafficSummary } from '../../plugins/traffic/operations/getAiTrafficSummary'
import { getTopCrawledPages } from '../../plugins/traffic/operations/getTopCrawledPages'
import { AiTrafficDaily } from '../../plugins/traffic/records/AiTrafficDaily'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { dailyTable } from '../../plugins/traffic/records/dailyTable'
import { type Day, daysWhere } from '../../plugins/traffic/records/days'
import { pagesOf } from '../../plugins/traffic/sums/pages'
import { tallyOf } from '../../plugins/traffic/sums/tally'
import { quietLog } from '../support/quiet-log'
import { workbench } from '../support/workbench'
import { dailyColumns, dailyRow } from './reads/daily-row'

const siteCount = Number(process.env.BENCH_SITES ?? 220)
const rounds = Number(process.env.BENCH_ROUNDS ?? 15)
const siteOf = (number: number) => `sit_${String(number).padStart(4, '0')}`
const periods = [
  { date_from: '2026-08-01', date_to: '2026-08-28' },
  { date_from: '2026-08-29', date_to: '2026-09-25' },
] as const

/**
 * Both traffic summaries over 56 days of 220 sites in one workspace, beside reading whole rows a thousand at a time by `skip` and
 * adding them up here. All by turns in one process: the ratios hold on a busy machine too.
 */
export async function run(): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const columns = await openColumns({ path }, { log: quietLog })
  const bench = await workbench([tenancy, traffic])
  bench.now = new Date('2026-10-01T12:00:00.000Z')
  try {
    await seed(columns)
    for (let number = 0; number < siteCount; number++)
      await bench.owner.rows(AiTrafficSite).insert(siteRow(number))
    const ctx = contextOf(bench, columns)
    const input = periods[1]
    const summary = v.parse(getAiTrafficSummary.input, input)
    const pages = v.parse(getTopCrawledPages.input, input)
    await measure({
      'getAiTrafficSummary, whole rows': async () => {
        for (const days of await Promise.all(periods.map((period) => wholeRows(ctx, period)))) tallyOf(days)
      },
      getAiTrafficSummary: () => getAiTrafficSummary.run(ctx, summary),
      'getTopCrawledPages, whole rows': async () => {
        for (const days of await Promise.all(periods.map((period) => wholeRows(ctx, period)))) {
          tallyOf(days)
          pagesOf(days, undefined)
        }
      },
      getTopCrawledPages: () => getTopCrawledPages.run(ctx, pages),
    })
  } finally {
    await columns.close()
    await bench.stop()
    rmSync(path, { recursive: true, force: true })
  }
}

async function seed(columns: ColumnsStore) {
  await columns.ensure([dailyTable])
  for (let first = 0; first < siteCount; first += 20) {
    const numbers = Array.from({ length: Math.min(20, siteCount - first) }, (_, at) => first + at)
    const rows = numbers.flatMap((number) =>
      Array.from({ length: 56 }, (_, day) =>
        dailyRow({ number, day, site_id: siteOf(number), workspace_id: 'wsp_1' }),
      ),
    )
    await columns.insert(
      dailyTable.name,
      dailyColumns,
      rows.map((row) => dailyColumns.map((column) => row[column])),
    )
  }
}

const siteRow = (number: number) => ({
  id: siteOf(number),
  workspace_id: 'wsp_1',
  location_id: `loc_${number}`,
  domain: `${number}.example`,
  timezone: 'UTC',
  site_key: siteOf(number),
  is_active: true,
  count_search_engines: false,
  respect_dnt: true,
  forwarder_token_last4: 'abcd',
  forwarder_token_hash: 'x',
})

function contextOf(bench: Awaited<ReturnType<typeof workbench>>, columns: ColumnsStore): ReadContext {
  const documents = { collection: bench.collection } as unknown as Documents
  return readContext(
    { registry: bench.registry, sources: createSources(documents, columns), now: () => bench.now },
    {
      workspace: { id: 'wsp_1', agency_id: 'agc_1', timezone: 'UTC', is_home: true },
      credential: { kind: 'agent_key', agency_id: 'agc_1', platform: false, scopes: ['read'] },
      requestId: 'req_bench',
    },
  )
}

/** How the rows were read before the store added them up. */
async function wholeRows(ctx: ReadContext, period: (typeof periods)[number]): Promise<Day[]> {
  const all: Day[] = []
  for (;;) {
    const rows = await ctx.rows(AiTrafficDaily).list({
      where: where.and(daysWhere({}, period)),
      sort: [{ field: 'date', direction: 'asc' }],
      limit: 1000,
      skip: all.length,
    })
    all.push(...rows)
    if (rows.length < 1000) return all
  }
}

async function measure(targets: Record<string, () => Promise<unknown>>) {
  const times = new Map<string, { ms: number[]; turns: number[] }>()
  for (let round = -1; round < rounds; round++) {
    for (const [name, work] of Object.entries(targets)) {
      const { ms, turn } = await timed(work)
      const known = times.get(name) ?? { ms: [], turns: [] }
      // The first round warms up.
      if (round >= 0) times.set(name, { ms: [...known.ms, ms], turns: [...known.turns, turn] })
    }
  }
  let before = 0
  for (const [name, { ms, turns }] of times) {
    const p50 = at(ms, 0.5)
    const p99 = at(ms, 0.99)
    const ratio = name.includes('whole') ? '' : `, ${(before / p50).toFixed(1)} times less`
    before = p50
    console.log(
      `${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest turn of the event loop ${at(turns, 0.5).toFixed(0)} ms${ratio}`,
    )
  }
}

/** How long it took, and the longest time in which nothing else had a turn. */
async function timed(work: () => Promise<unknown>) {
  let turn = 0
  let seen = performance.now()
  const ticks = setInterval(() => {
    const now = performance.now()
    turn = Math.max(turn, now - seen)
    seen = now
  }, 1)
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, 5))
  clearInterval(ticks)
  return { ms, turn }
}

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
