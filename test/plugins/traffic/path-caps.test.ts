import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ReadContext } from 'renown'
import { assetPath, hitsTable, otherPath, touchedTable } from '../../../core/contracts/traffic'
import { connectClickhouse } from '../../../ingest/flush/clickhouse'
import { flushSegment } from '../../../ingest/flush/flush-segment'
import type { JournalHit } from '../../../ingest/journal/segment'
import { countedFields } from '../../../plugins/traffic/records/dailyRow'
import { readDays } from '../../../plugins/traffic/sealing/readDays'
import { partOf } from '../../../plugins/traffic/sums/list-part'
import { rankedPaths } from '../../../plugins/traffic/sums/shownPaths'
import type { TrafficFilters } from '../../../plugins/traffic/sums/traffic-filters'
import { freshColumns } from '../../support/chdb'
import { countedHit } from '../../support/counted-hit'

const columns = await freshColumns()
const clickhouse = await connectClickhouse(columns.target)
beforeAll(() => columns.ensure([hitsTable, touchedTable]))
afterAll(async () => {
  await clickhouse.close()
  await columns.close()
})

const date = '2026-11-20'
const name = (n: number) => `/${String(n).padStart(3, '0')}`
/** Hits of so many paths. The first path has the most hits. */
const hitsOn = (paths: number, over: Partial<JournalHit>) =>
  Array.from({ length: paths }, (_, n) =>
    Array.from({ length: paths - n }, () => countedHit({ path: name(n), ...over })),
  ).flat()
const expected = (paths: number, most: number, key: string) =>
  Array.from({ length: most }, (_, n) => ({ path: name(n), [key]: paths - n }))

async function rowOf(site_id: string, hits: readonly JournalHit[]) {
  const segment = {
    frames: [{ hits, batchIds: [], ends: [] }],
    validBytes: 0,
    torn: false,
    damaged: false,
  }
  await flushSegment(clickhouse, `seg-${site_id}`, segment, false)
  const facts = (await readDays(columns, [{ site_id, date }])).get(`${site_id}:${date}`)
  if (!facts) throw new Error('readDays left out the day')
  return countedFields(facts)
}

test('a daily row lists exactly 25 crawled paths, 25 paths of visits, and 12 paths of each category', async () => {
  const one = { site_id: 'sit_caps' }
  const row = await rowOf('sit_caps', [
    ...hitsOn(40, { ...one, category: 'training' }),
    ...hitsOn(30, { ...one, agent: 'ChatGPT-User', category: 'ai_answers' }).map((hit, n) => ({
      ...hit,
      path: `/answers/${n}`,
    })),
    ...hitsOn(40, { ...one, kind: 'visit', agent: 'chatgpt.com', category: '', operator: '' }),
  ])
  expect<unknown>(row.top_paths).toEqual(expected(40, 25, 'hits'))
  expect<unknown>(row.referral_paths).toEqual(expected(40, 25, 'visits'))
  expect<unknown>(row.paths_by_category.training).toEqual(expected(40, 12, 'hits'))
  expect(row.paths_by_category.ai_answers).toHaveLength(12)
  expect(row.paths_by_category.other_ai).toEqual([])
  expect(row.referral_visits).toBe(820)
})

test('the paths that collect others take no place in the lists', async () => {
  const one = { site_id: 'sit_collecting' }
  const collecting = [assetPath, otherPath].flatMap((path) =>
    Array.from({ length: 50 }, () => countedHit({ ...one, path })),
  )
  const row = await rowOf('sit_collecting', [...collecting, ...hitsOn(26, one)])
  expect<unknown>(row.top_paths).toEqual(expected(26, 25, 'hits'))
  expect(row.crawler_hits).toBe(100 + 351)
})

test('the caps hold for each site and each day by itself', async () => {
  const days = ['2026-11-20', '2026-11-21'].flatMap((day) =>
    ['sit_x', 'sit_y'].map((site_id) => ({ site_id, date: day })),
  )
  const hits = days.flatMap((day) => hitsOn(27, day))
  await rowOf('sit_x', hits)
  const found = await readDays(columns, days)
  expect([...found.values()].map((facts) => [facts.topPaths.length, facts.categoryPaths.length])).toEqual(
    days.map(() => [25, 12]),
  )
})

test('a page ranks its paths by hits, and shows the nine with the most', async () => {
  const rows = {
    groupEntries: async () =>
      Array.from({ length: 60 }, (_, n) => ({ path: name(n), hits: 100 - n, first: date })),
    list: async () => [],
  }
  const shown = {
    input: {},
    asked: {
      agent: null,
      operator: null,
      category: null,
      page: null,
      list: null,
    } as unknown as TrafficFilters,
    period: { date_from: date, date_to: date },
    isEmpty: false,
  }
  const ranked = await rankedPaths({ rows: () => rows } as unknown as ReadContext, shown as never)
  const { lines, total } = partOf(ranked ?? [], shown.asked, { list: 'pages', nameOf: ({ path }) => path })
  expect(lines.map(({ path, hits }) => [path, hits])).toEqual(
    Array.from({ length: 9 }, (_, n) => [name(n), 100 - n]),
  )
  expect(total).toBe(60)
})
