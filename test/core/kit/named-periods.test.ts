import { expect, test } from 'bun:test'
import * as v from 'valibot'
import { calendarBefore, namedDays, saidPeriod } from '../../../core/kit/named-periods'
import { periodOf } from '../../../core/kit/periods'

const days = ({ date_from, date_to }: { date_from: string; date_to: string }) => `${date_from} ${date_to}`

test.each<[string, string, string, string | null]>([
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
  ['last_1_days', '2026-11-23', '2026-11-23 2026-11-23', null],
  ['last_366_days', '2026-11-23', '2025-11-23 2026-11-23', null],
  ['2026-10', '2026-11-23', '2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
  ['2028-02', '2028-11-23', '2028-02-01 2028-02-29', '2028-01-01 2028-01-31'],
  ['2025-12', '2026-11-23', '2025-12-01 2025-12-31', '2025-11-01 2025-11-30'],
  ['2026-11', '2026-11-23', '2026-11-01 2026-11-23', '2026-10-01 2026-10-23'],
  ['2026-11', '2026-11-30', '2026-11-01 2026-11-30', '2026-10-01 2026-10-30'],
  ['2026-10-05/2026-10-18', '2026-11-23', '2026-10-05 2026-10-18', null],
])('%s on %s is %s, after %s', (name, today, wanted, before) => {
  expect(days(namedDays(name, today))).toBe(wanted)
  const earlier = calendarBefore(name, today)
  expect(earlier && days(earlier)).toBe(before)
})

const names =
  'today yesterday last_7_days this_week last_week this_month last_month this_quarter last_quarter this_year last_year 2026-10 2026-11 2026-10-05/2026-10-18'

test('every name is a period of an operation, and excludes days and dates', () => {
  const today = '2026-11-23'
  for (const period of names.split(' ')) {
    expect(v.is(saidPeriod, period)).toBe(true)
    const { period: asked, previous } = periodOf({ period }, { today, days: 30 })
    expect(days(asked)).toBe(days(namedDays(period, today)))
    expect(previous.days).toBe(asked.days)
  }
  for (const more of [{ days: 3 }, { date_from: today }, { date_to: today }])
    expect(() => periodOf({ period: 'today', ...more }, { today, days: 30 })).toThrow('either period')
})

test.each([
  'last_0_days',
  'last_1000_days',
  'this_days',
  '2026-13',
  '2026',
  '2026-10-05',
  '2026-02-30/2026-03-01',
  'toString',
])('%s is refused with what is accepted', (period) => {
  expect(v.safeParse(saidPeriod, period).issues?.[0]?.message).toContain('last_N_days')
})

test.each([
  ['last_367_days', '366 days'],
  ['2026-12', 'in the future'],
  ['2026-10-05/2026-10-01', 'is before'],
  ['2026-11-20/2026-11-24', 'in the future'],
])('%s is refused with its reason', (period, reason) => {
  expect(() => periodOf({ period }, { today: '2026-11-23', days: 30 })).toThrow(reason)
})

test('no year is so early or late that the period before or after it has no four digits', () => {
  for (const period of ['0000-01', '9999-12', '0000-01-01/0000-01-02', '9999-12-01/9999-12-31'])
    expect(v.is(saidPeriod, period)).toBe(false)
  expect(() => periodOf({ period: '1000-01' }, { today: '2026-11-23', days: 30 })).not.toThrow()
})
