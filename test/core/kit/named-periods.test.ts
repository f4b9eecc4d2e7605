import { expect, test } from 'bun:test'
import { calendarBefore, namedDays, type PeriodName, periodNames } from '../../../core/kit/named-periods'
import { periodOf } from '../../../core/kit/periods'

const days = ({ date_from, date_to }: { date_from: string; date_to: string }) => `${date_from} ${date_to}`

test.each<[PeriodName, string, string, string | null]>([
  // Monday, 23 November 2026.
  ['today', '2026-11-23', '2026-11-23 2026-11-23', '2026-11-22 2026-11-22'],
  ['yesterday', '2026-11-23', '2026-11-22 2026-11-22', '2026-11-21 2026-11-21'],
  ['last_7_days', '2026-11-23', '2026-11-17 2026-11-23', null],
  ['last_90_days', '2026-11-23', '2026-08-26 2026-11-23', null],
  ['this_week', '2026-11-25', '2026-11-23 2026-11-25', '2026-11-16 2026-11-18'],
  ['this_week', '2026-11-23', '2026-11-23 2026-11-23', '2026-11-16 2026-11-16'],
  ['last_week', '2026-11-22', '2026-11-09 2026-11-15', '2026-11-02 2026-11-08'],
  ['this_month', '2026-11-09', '2026-11-01 2026-11-09', '2026-10-01 2026-10-09'],
  ['this_month', '2026-03-31', '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
  ['last_month', '2026-03-31', '2026-02-01 2026-02-28', '2026-01-01 2026-01-31'],
  ['last_month', '2026-01-01', '2025-12-01 2025-12-31', '2025-11-01 2025-11-30'],
  ['this_quarter', '2026-11-23', '2026-10-01 2026-11-23', '2026-07-01 2026-08-23'],
  ['last_quarter', '2026-02-10', '2025-10-01 2025-12-31', '2025-07-01 2025-09-30'],
  ['this_year', '2028-02-29', '2028-01-01 2028-02-29', '2027-01-01 2027-03-01'],
  ['last_year', '2026-11-23', '2025-01-01 2025-12-31', '2024-01-01 2024-12-31'],
])('%s on %s is %s, after %s', (name, today, wanted, before) => {
  expect(days(namedDays(name, today))).toBe(wanted)
  const earlier = calendarBefore(name, today)
  expect(earlier && days(earlier)).toBe(before)
})

test('every name is a period of an operation, and excludes days and dates', () => {
  const today = '2026-11-23'
  for (const period of periodNames) {
    const { period: asked, previous } = periodOf({ period }, { today, days: 30 })
    expect(days(asked)).toBe(days(namedDays(period, today)))
    expect(previous.days).toBe(asked.days)
  }
  for (const more of [{ days: 3 }, { date_from: today }, { date_to: today }])
    expect(() => periodOf({ period: 'today', ...more }, { today, days: 30 })).toThrow('either period')
})
