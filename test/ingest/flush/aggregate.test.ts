import { expect, test } from 'bun:test'
import {
  aggregate,
  firstDay,
  hitsColumns,
  receiptSite,
  touchedColumns,
} from '../../../ingest/flush/aggregate'
import { isOfTheRows, pauseMs, reasonOf } from '../../../ingest/flush/flush-faults'

const hit = (more: object = {}) => ({
  kind: 'crawl',
  site_id: 's',
  date: '2026-11-20',
  agent: 'GPTBot',
  category: 'training',
  operator: 'OpenAI',
  path: '/a',
  verdict: 'unchecked',
  ts: 1_000,
  ...more,
})
const segment = (...frames: object[][]) => ({ frames: frames.map((hits) => ({ hits })) }) as never

test('hits that differ in nothing are one row, a month is one insert with its receipt', () => {
  const rows = aggregate(
    'seg\t1',
    segment(
      [hit(), hit({ verdict: 'verified', ts: 5_000 }), hit({ verdict: 'spoofed', ts: 2_000 })],
      [
        hit({ path: '/b' }),
        hit({ kind: 'visit', agent: 'chatgpt.com', category: '', operator: '', ts: 3_000 }),
        hit({ date: '2026-12-01', site_id: 'a\\b\r\n\0', ts: 4_000 }),
      ],
    ),
  )
  const line = (...cells: unknown[]) => `${cells.join('\t')}\n`
  expect(rows.hits).toBe(6)
  expect(rows.months).toEqual([
    {
      month: '202611',
      hits: 5,
      rows: [
        line('crawl', 's', '2026-11-20', 'GPTBot', 'training', 'OpenAI', '/a', 3, 1, 1),
        line('crawl', 's', '2026-11-20', 'GPTBot', 'training', 'OpenAI', '/b', 1, 0, 0),
        line('visit', 's', '2026-11-20', 'chatgpt.com', '', '', '/a', 1, 0, 0),
        line('receipt', receiptSite, '2026-11-01', '', '', '', 'seg\\t1', 1, 0, 0),
      ].join(''),
    },
    {
      month: '202612',
      hits: 1,
      rows: [
        line('crawl', 'a\\\\b\\r\\n\\0', '2026-12-01', 'GPTBot', 'training', 'OpenAI', '/a', 1, 0, 0),
        line('receipt', receiptSite, '2026-12-01', '', '', '', 'seg\\t1', 1, 0, 0),
      ].join(''),
    },
  ])
  expect(rows.touched).toBe(
    [
      line('s', '2026-11-20', 'log', '1970-01-01T00:00:05.000Z'),
      line('s', '2026-11-20', 'beacon', '1970-01-01T00:00:03.000Z'),
      line('a\\\\b\\r\\n\\0', '2026-12-01', 'log', '1970-01-01T00:00:04.000Z'),
    ].join(''),
  )
  expect(firstDay('202612')).toBe('2026-12-01')
  expect(receiptSite).toBe('~')
  expect(hitsColumns).toHaveLength(10)
  expect(touchedColumns).not.toContain('touched_at')
  expect(aggregate('x', segment([]))).toEqual({ hits: 0, months: [], touched: '' })
})

test('a fault of the rows ends a segment, every other one is tried again, after a doubled pause of at most 15 seconds', () => {
  for (const code of [6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 321, 349, 376]) {
    expect([code, isOfTheRows({ code: String(code) }), isOfTheRows({ code })]).toEqual([code, true, true])
  }
  for (const error of [
    { code: '60' },
    { code: '241' },
    { code: 'ECONNREFUSED' },
    {},
    null,
    undefined,
    new Error('x'),
  ])
    expect(isOfTheRows(error)).toBe(false)
  expect([0, 1, 2, 3, 8, 9, 100].map((failures) => pauseMs(failures))).toEqual([
    100, 100, 200, 400, 12_800, 15_000, 15_000,
  ])
  expect(pauseMs(9, 500)).toBe(500)
})

test('an error is told in its code and type, never in its message', () => {
  expect(reasonOf({ code: '60', type: 'UNKNOWN_TABLE', message: 'rows' })).toBe('UNKNOWN_TABLE 60')
  expect(reasonOf({ code: 'ECONNREFUSED' })).toBe('ECONNREFUSED')
  expect(reasonOf(new TypeError('rows'))).toBe('TypeError')
  expect(reasonOf(null)).toBe('unknown error')
})

test('hits with a known status are counted again: errors with their path, others without', () => {
  const rows = aggregate(
    'seg',
    segment([
      hit({ status: 200 }),
      hit({ status: 304, path: '/b', verdict: 'verified' }),
      hit({ status: 404 }),
      hit({ status: 404, verdict: 'spoofed' }),
      hit({ status: 503 }),
      // Not an HTTP status, and unknown.
      hit({ status: 999 }),
      hit(),
      hit({ kind: 'visit', status: 404 }),
    ]),
  )
  const status = rows.months[0]?.rows.split('\n').filter((line) => line.startsWith('status'))
  const line = (...cells: unknown[]) =>
    ['status', 's', '2026-11-20', 'GPTBot', cells[0], 'OpenAI', ...cells.slice(1)].join('\t')
  expect(status).toEqual([line('ok', '', 2, 1, 0), line('404', '/a', 2, 0, 1), line('503', '/a', 1, 0, 0)])
  expect([rows.hits, rows.months[0]?.hits]).toEqual([8, 8])
})
