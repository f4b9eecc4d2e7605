import { afterEach, beforeEach, expect, test } from 'bun:test'
import { startsOf, unitOf } from '../../../../plugins/visibility/sums/stretches'
import { trendOf } from '../../../../plugins/visibility/sums/trend'
import { type VisibilityBench, visibilityBench } from '../support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

test('a period has at most about twenty points', () => {
  expect([7, 14, 15, 90, 140, 141, 366].map(unitOf)).toEqual([
    'day',
    'day',
    'week',
    'week',
    'week',
    'month',
    'month',
  ])
})

test.each([
  ['day', '2026-02-27', '2026-03-02', ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
  ['week', '2026-03-01', '2026-03-15', ['2026-02-23', '2026-03-02', '2026-03-09']],
  ['month', '2025-12-31', '2026-02-01', ['2025-12-01', '2026-01-01', '2026-02-01']],
] as const)('the stretches of a period, by %s', (unit, date_from, date_to, starts) => {
  expect(startsOf({ date_from, date_to, days: 1 }, unit)).toEqual([...starts])
})

test('each point is the mean over its cells, and a stretch without answers has none', async () => {
  const on = (day: string, brand_mentioned: boolean, row = {}) =>
    held.run({ started_at: `${day}T12:00:00.000Z`, brand_mentioned, ...row })
  await on('2026-02-24', true)
  await on('2026-02-25', true)
  await on('2026-02-26', false, { prompt_id: 'vpr_2' })
  await on('2026-03-10', true)
  await on('2026-03-10', true, { prompt_id: 'vpr_branded' })
  await on('2026-03-11', false, { status: 'error', error: 'cut' })
  const period = { date_from: '2026-02-23', date_to: '2026-03-15', days: 21 }
  const points = await trendOf(held.bench.read('wsp_1'), { scope: {}, sealed: null, period }, period, {
    open: new Set(['vpr_1', 'vpr_2']),
    shift: null,
  })
  expect(points.map(({ from, k, n, rate }) => [from, k, n, rate])).toEqual([
    ['2026-02-23', 2, 3, 0.5],
    ['2026-03-02', 0, 0, null],
    ['2026-03-09', 1, 1, 1],
  ])
})
