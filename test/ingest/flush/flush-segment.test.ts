import { expect, test } from 'bun:test'
import type { Clickhouse } from '../../../ingest/flush/clickhouse'
import { flushBlock, flushSegment } from '../../../ingest/flush/flush-segment'
import { countedHit } from '../../support/counted-hit'

/** A store that notes its statements and knows the receipts of these months, each of the segment `seg` unless it says another. */
function notedStore(standing: readonly string[]) {
  const inserts: { sql: string; rows: number }[] = []
  const queries: unknown[] = []
  const clickhouse = {
    own: (table: string) => `own.${table}`,
    async insert(sql: string, rows: string) {
      inserts.push({ sql, rows: rows.trimEnd().split('\n').length })
    },
    async query(sql: string, params: Record<string, unknown>) {
      queries.push({ sql: sql.replace(/\s+/g, ' '), params })
      return standing.map((each) => {
        const [month = '', name = 'seg'] = each.split(' of ')
        return { month, name }
      })
    },
  } as unknown as Clickhouse
  return { clickhouse, inserts, queries }
}

const segmentOf = (dates: readonly string[]) => ({
  frames: [{ hits: dates.map((date) => countedHit({ date })), batchIds: [], ends: [] }],
  validBytes: 0,
  torn: false,
  damaged: false,
})
const oneBlock =
  'async_insert = 0, insert_deduplicate = 1, input_format_parallel_parsing = 0, max_insert_threads = 1, ' +
  'max_insert_block_size = 100000000, min_insert_block_size_rows = 100000000, min_insert_block_size_bytes = 0'

test('each month is one block with a token of its segment and month, the touched days are another', async () => {
  const { clickhouse, inserts, queries } = notedStore([])
  const segment = segmentOf(['2026-11-20', '2026-11-21', '2026-10-31'])
  expect(await flushSegment(clickhouse, "a.b-1'; DROP", segment, false)).toEqual({ hits: 3 })
  const hits = (month: string) =>
    expect.stringMatching(
      new RegExp(
        String.raw`^INSERT INTO own\.traffic_hits \([\w, ]+\) SETTINGS insert_deduplication_token = 'a\.b-1___DROP:${month}', ${oneBlock} FORMAT TabSeparated$`,
      ),
    )
  expect(inserts.slice(0, -1).sort((a, b) => (a.sql < b.sql ? -1 : 1))).toEqual([
    { sql: hits('202610'), rows: 2 },
    { sql: hits('202611'), rows: 3 },
  ])
  expect(inserts.at(-1)).toEqual({
    sql: expect.stringMatching(
      new RegExp(
        String.raw`^INSERT INTO own\.traffic_touched \([\w, ]+\) SETTINGS date_time_input_format = 'best_effort', ${oneBlock} FORMAT TabSeparated$`,
      ),
    ),
    rows: 3,
  })
  expect(queries).toEqual([])
})

test('where an attempt may have succeeded, months with a receipt are left out', async () => {
  const { clickhouse, inserts, queries } = notedStore(['202611'])
  await flushSegment(clickhouse, 'seg', segmentOf(['2026-11-20', '2026-10-31']), true)
  expect<unknown>(
    inserts.map(({ sql }) => /token = '([^']+)'|(traffic_touched)/.exec(sql)?.slice(1)),
  ).toEqual([
    ['seg:202610', undefined],
    [undefined, 'traffic_touched'],
  ])
  expect(queries).toEqual([
    {
      sql: expect.stringMatching(
        / FROM own\.traffic_hits WHERE .* AND path IN \('seg'\) GROUP BY name, month HAVING sum\(hits\) > 0$/,
      ),
      params: { site: '~', days: expect.arrayContaining(['2026-11-01', '2026-10-01']) },
    },
  ])
})

test('a segment without hits writes nothing and asks nothing', async () => {
  const { clickhouse, inserts, queries } = notedStore([])
  expect(await flushSegment(clickhouse, 'seg', segmentOf([]), true)).toEqual({ hits: 0 })
  expect([inserts, queries]).toEqual([[], []])
})

test('several segments are one block a month, with a receipt for each that has hits in it', async () => {
  const { clickhouse, inserts, queries } = notedStore([])
  const parts = [
    { name: 'a', segment: segmentOf(['2026-11-20', '2026-10-31']) },
    { name: 'b', segment: segmentOf(['2026-11-20']) },
    { name: 'none', segment: segmentOf([]) },
  ]
  expect(await flushBlock(clickhouse, { name: 'block-1', parts, mayStand: new Set() })).toEqual({ hits: 3 })
  const tokenOf = (sql: string) => /token = '([^']+)'/.exec(sql)?.[1] ?? 'touched'
  expect(inserts.map(({ sql, rows }) => [tokenOf(sql), rows])).toEqual([
    // The hits are alike, so they are one row.
    ['block-1:202611', 3],
    ['block-1:202610', 2],
    ['touched', 2],
  ])
  expect(queries).toEqual([])
})

test('of a block, what stands of each segment is left out', async () => {
  const { clickhouse, inserts, queries } = notedStore(['202611 of a', "202610 of it's"])
  const parts = ['a', "it's", 'fresh'].map((name) => ({
    name,
    segment: segmentOf(['2026-11-20', '2026-10-31']),
  }))
  await flushBlock(clickhouse, { name: 'block-1', parts, mayStand: new Set(['a', "it's", 'elsewhere']) })
  expect(inserts.map(({ rows }) => rows)).toEqual([3, 3, 2])
  expect(queries).toEqual([
    {
      sql: expect.stringContaining(String.raw`path IN ('a', 'it\'s')`),
      params: { site: '~', days: ['2026-11-01', '2026-10-01'] },
    },
  ])
})
