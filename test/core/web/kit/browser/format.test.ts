import { expect, test } from 'bun:test'
import { formatCount, formatPeriod } from '../../../../../core/web/kit/browser/format'

test('a count has the singular for one alone, and separators', () => {
  const counts = [0, 1, 2, 12_345].map((number) => formatCount(number, 'review'))
  expect(counts).toEqual(['0 reviews', '1 review', '2 reviews', '12,345 reviews'])
  expect([1, 2].map((number) => formatCount(number, 'agency', 'agencies'))).toEqual([
    '1 agency',
    '2 agencies',
  ])
})

test('a period over the turn of a year says both years, and one day is written alone', () => {
  const written = [
    ['2026-03-03', '2026-03-14'],
    ['2025-12-24', '2026-01-07'],
    ['2025-11-24', '2026-11-23'],
    ['2026-03-14', '2026-03-14'],
  ].map(([date_from = '', date_to = '']) => formatPeriod({ date_from, date_to }))
  expect(written).toEqual([
    '3 Mar to 14 Mar 2026',
    '24 Dec 2025 to 7 Jan 2026',
    '24 Nov 2025 to 23 Nov 2026',
    '14 Mar 2026',
  ])
})
