import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readContext } from '../../core/contexts/context'
import { createSources } from '../../core/contexts/sources'
import { corePlugins } from '../../core/product/core-plugins'
import { createRegistry } from '../../core/registry/registry'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { openSqlite } from '../../core/stores/documents/sqlite/index'
import { builtin } from '../../plugins'
import { listReviews } from '../../plugins/reviews/pages/listReviews'
import { type ReviewChoice, reviewFilters } from '../../plugins/reviews/pages/review-filters'
import { Review } from '../../plugins/reviews/records/Review'
import { quietLog } from '../support/quiet-log'

const count = Number(process.env.RENOWN_BENCH_REVIEWS ?? 100_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const now = new Date('2026-11-01T12:00:00.000Z')
const languages = ['en', 'de', 'fr', 'ja']
const themes = ['wait', 'staff', 'price', 'coffee', 'parking']

/** The list of reviews with each filter over 100,000 reviews of one workspace in the embedded store: first page and a deep one. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const documents = await openSqlite({ path: join(folder, 'documents.db'), now: () => now, log: quietLog })
  try {
    const registry = createRegistry([...corePlugins, ...builtin])
    await documents.ensure([...registry.entities.values()])
    for (let from = 0; from < count; from += 1_000) {
      const rows = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => rowOf(from + n))
      await documents.collection(Review).insertMany(rows)
    }
    const sources = createSources(documents, {} as ColumnsStore)
    const ctx = readContext(
      { registry, sources, now: () => now },
      {
        workspace: { id: 'wsp_1', agency_id: 'agc_1', timezone: 'UTC', is_home: true },
        credential: { kind: 'person', agency_id: 'agc_1', platform: false, scopes: ['read'] },
        requestId: 'req_1',
      },
    )
    for (const search of searches) {
      const query = new URLSearchParams(search)
      const values = Object.keys(reviewFilters).map((name) => [name, query.get(name) ?? ''])
      const part = { after: query.get('after') ?? '', all: query.get('all') === '1' }
      const asked = { ...(Object.fromEntries(values) as ReviewChoice), ...part }
      const times: number[] = []
      let rows = 0
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        const page = await listReviews(ctx, asked, 50)
        times.push(performance.now() - began)
        rows = page.rows.length
      }
      times.sort((a, b) => a - b)
      const median = times[Math.floor(rounds / 2)] ?? 0
      const most = times.at(-1) ?? 0
      console.log(`${median.toFixed(1).padStart(8)} ms  most ${most.toFixed(1)} ms  ${rows} rows  ?${search}`)
    }
  } finally {
    await documents.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const deep = `${at(Math.floor(count * 0.9))}~rev_~1`
const searches = [
  '',
  'order=oldest',
  'order=worst',
  `after=${encodeURIComponent(deep)}`,
  `order=worst&after=${encodeURIComponent(deep)}`,
  'needs=1',
  'needs=1&order=worst',
  'needs=1&order=oldest',
  'rating=1',
  'rating=none',
  'source=facebook',
  'location=loc_3',
  'language=ja',
  'language=xx',
  'theme=parking',
  'theme=nothing',
  'q=umbrella',
  'q=nowhere',
  'q=nowhere&needs=1',
  'state=unread',
  'state=flagged',
  'state=drafted',
  'state=answered',
  'state=failed',
  'from=2024-01-01&to=2024-01-31',
  'location=loc_3&theme=nothing&language=de',
]

/** One review each ten minutes, the newest first. */
function at(n: number): string {
  return new Date(now.getTime() - (n + 1) * 600_000).toISOString()
}

function rowOf(n: number) {
  const id = `rev_${String(n).padStart(8, '0')}`
  const isWaiting = n < 400 || n % 500 === 0
  return {
    id,
    workspace_id: 'wsp_1',
    location_id: `loc_${n % 20}`,
    source_id: id,
    source: n % 50 === 0 ? 'facebook' : 'google',
    created_date: at(n),
    updated_date: at(n),
    star_rating: n % 50 === 0 ? null : ((n * 7) % 5) + 1,
    reviewer_name: `Customer ${n}`,
    review_text: `The coffee was good and the staff kind. ${n % 7_919 === 0 ? 'I lost my umbrella. ' : ''}${'We came twice. '.repeat(n % 12)}`,
    review_language: languages[n % 4] ?? '',
    key_topics: [themes[n % 5] ?? ''],
    review_created_at: at(n),
    review_updated_at: at(n),
    synced_at: now.toISOString(),
    is_read: n > 200,
    is_flagged: n % 3_001 === 0,
    needs_response: isWaiting,
    sentiment: 'positive' as const,
    priority: 'low' as const,
    ...(isWaiting ? {} : { reply_text: 'Thank you.', reply_created_at: at(n) }),
    ...(n % 1_000 === 0 ? { ai_suggested_response: 'Thank you very much.' } : {}),
  }
}
