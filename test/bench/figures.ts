import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { readContext } from '../../core/contexts/context'
import { createSources } from '../../core/contexts/sources'
import { corePlugins } from '../../core/product/core-plugins'
import { createRegistry } from '../../core/registry/registry'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { builtin } from '../../plugins'
import { getReputationSummary } from '../../plugins/reviews/operations/getReputationSummary'
import { getReviewAnalytics } from '../../plugins/reviews/operations/getReviewAnalytics'
import { listReviewsNeedingResponse } from '../../plugins/reviews/operations/listReviewsNeedingResponse'
import { Review } from '../../plugins/reviews/records/Review'
import { measured, median } from '../support/cpu'
import { part } from '../support/part'
import { quietLog } from '../support/quiet-log'

const sizes = (process.env.RENOWN_BENCH_REVIEWS ?? '6000,60000').split(',').map(Number)
const rounds = Number(process.env.RENOWN_BENCH_ROUNDS ?? 7)
const locations = 20
const days = 3 * 365
const goalMs = 50
const now = new Date('2026-11-01T12:00:00.000Z')
const dayMs = 86_400_000

const questions = [
  ['a year of getReviewAnalytics', getReviewAnalytics, { days: 365 }],
  ['28 days of getReviewAnalytics', getReviewAnalytics, {}],
  ['a year of getReputationSummary', getReputationSummary, { days: 365 }],
  ['listReviewsNeedingResponse', listReviewsNeedingResponse, {}],
] as const

/**
 * What the questions about all reviews of one workspace cost, with the reviews of three years at 20 locations. CPU of this
 * process beside one read of a single row. RENOWN_BENCH_REVIEWS has the numbers of reviews.
 */
export async function run(): Promise<void> {
  const first = new Map<string, number>()
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
    const store = await openSqlite({ path: join(folder, 'documents.db'), now: () => now, log: quietLog })
    try {
      const registry = createRegistry([...corePlugins, ...builtin])
      await store.ensure([...registry.entities.values()].filter((entity) => entity.store === 'documents'))
      await fill(store, size)
      const sources = createSources(store, part({}))
      const ctx = readContext({ registry, sources, now: () => now }, caller)
      const floor = await cpuOf(async () => void (await ctx.rows(Review).get(idOf(1))))
      for (const [name, operation, input] of questions) {
        const asked = v.parse(operation.input, input)
        const began = await measured(() => operation.run(ctx, asked as never) as Promise<unknown>)
        const cpu = await cpuOf(() => operation.run(ctx, asked as never) as Promise<unknown>)
        first.set(name, first.get(name) ?? cpu)
        const growth = (cpu / (first.get(name) ?? cpu)).toFixed(1)
        const over = cpu > goalMs ? '  OVER' : ''
        console.log(
          `${size.toLocaleString('en').padStart(9)} reviews  ${name.padEnd(34)} ${cpu.toFixed(1).padStart(8)} ms, first ${began.cpuMs.toFixed(0)} ms, ${growth} × the first size, ${(cpu / floor).toFixed(0)} × one row${over}`,
        )
      }
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const caller = {
  workspace: { id: 'wsp_1', agency_id: 'agc_1', timezone: 'Europe/Madrid', is_home: true },
  credential: { kind: 'agent_key' as const, agency_id: 'agc_1', platform: false, scopes: ['read' as const] },
  requestId: 'req_bench',
}

/** The middle CPU of several calls, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const spent: number[] = []
  for (let round = 0; round < rounds; round++) spent.push((await measured(work)).cpuMs)
  return median(spent)
}

const idOf = (n: number) => `rev_${String(n).padStart(26, '0')}`
const sentiments = ['positive', 'positive', 'mixed', 'negative', 'neutral'] as const
const priorities = ['urgent', 'high', 'medium', 'low'] as const

async function fill(store: Awaited<ReturnType<typeof openSqlite>>, size: number): Promise<void> {
  const at = now.toISOString()
  for (let n = 0; n < locations; n++)
    await store.collection(BusinessLocation).insert({
      id: `loc_${n}`,
      workspace_id: 'wsp_1',
      created_date: at,
      updated_date: at,
      business_name: `Business ${n}`,
      is_active: true,
      is_prospect: false,
    } as never)
  for (let from = 0; from < size; from += 2_000) {
    const rows = Array.from({ length: Math.min(2_000, size - from) }, (_, place) => rowOf(from + place, size))
    await store.collection(Review).insertMany(rows)
  }
}

function rowOf(n: number, size: number) {
  const written = new Date(now.getTime() - ((n + 1) * days * dayMs) / size).toISOString()
  // One of ten waits, as in the list of an agency that has just begun.
  const isWaiting = n % 10 === 0
  return {
    id: idOf(n),
    workspace_id: 'wsp_1',
    location_id: `loc_${(n * 7) % locations}`,
    source_id: idOf(n),
    source: n % 50 === 0 ? 'facebook' : 'google',
    created_date: written,
    updated_date: written,
    star_rating: n % 50 === 0 ? null : ((n * 7) % 5) + 1,
    reviewer_name: `Customer ${n}`,
    review_text: `The coffee was good and the staff kind. ${'We came twice. '.repeat(n % 12)}`,
    review_language: 'en',
    key_topics: ['coffee', 'staff'],
    review_created_at: written,
    review_updated_at: written,
    synced_at: now.toISOString(),
    is_read: n > 200,
    needs_response: isWaiting,
    sentiment: sentiments[n % 5] ?? 'neutral',
    priority: priorities[(n / 10) % 4] ?? 'low',
    ...(isWaiting ? {} : { reply_text: 'Thank you.', reply_created_at: written }),
  }
}
