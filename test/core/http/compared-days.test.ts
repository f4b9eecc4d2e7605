import { expect, test } from 'bun:test'
import { comparedDays } from '../../../core/http/compared-days'

test.each([
  ['2026-03-01', '2026-03-31', '2025-03-01', '2025-03-31'],
  ['2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
  ['2025-02-28', '2025-12-29', '2024-02-28', '2024-12-29'],
  ['1000-01-01', '1000-01-02', '0999-01-01', '0999-01-02'],
])('the days %s to %s are compared with those a year before', (date_from, date_to, from, to) => {
  for (const wish of [{}, { days: 7 }, { date_from, date_to }])
    expect(comparedDays(wish, { date_from, date_to }, '2026-04-01')).toEqual({ date_from: from, date_to: to })
})

test('a named period is compared with the one before, as far as it is over', () => {
  const today = '2026-03-10'
  const compared = comparedDays({ period: 'this_month' }, { date_from: '2026-03-01', date_to: today }, today)
  expect(compared).toEqual({ date_from: '2026-02-01', date_to: '2026-02-10' })
})
