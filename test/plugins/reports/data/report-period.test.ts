import { expect, test } from 'bun:test'
import { namedPeriod, reportPeriod } from '../../../../plugins/reports/data/report-period'

test.each([
  ['2026-10-01', '2026-10-31', 'October 2026', '2026-09-01', '2026-09-30'],
  ['2026-01-01', '2026-01-31', 'January 2026', '2025-12-01', '2025-12-31'],
  ['2028-02-01', '2028-02-29', 'February 2028', '2028-01-01', '2028-01-31'],
  ['2027-02-01', '2027-02-28', 'February 2027', '2027-01-01', '2027-01-31'],
  ['2026-07-01', '2026-09-30', 'Q3 2026', '2026-04-01', '2026-06-30'],
  ['2026-01-01', '2026-03-31', 'Q1 2026', '2025-10-01', '2025-12-31'],
  ['2026-02-01', '2026-04-30', '1 Feb – 30 Apr 2026', '2025-11-04', '2026-01-31'],
  ['2026-10-03', '2026-10-17', '3–17 Oct 2026', '2026-09-18', '2026-10-02'],
  ['2025-12-28', '2026-01-03', '28 Dec 2025 – 3 Jan 2026', '2025-12-21', '2025-12-27'],
  ['2026-10-05', '2026-10-05', '5 Oct 2026', '2026-10-04', '2026-10-04'],
  ['2026-10-01', '2026-10-30', '1–30 Oct 2026', '2026-09-01', '2026-09-30'],
])('%s to %s is called %s, and is compared with %s to %s', (start, end, label, from, to) => {
  const found = namedPeriod(start, end)
  expect(found.label).toBe(label)
  expect(found.period).toMatchObject({ date_from: start, date_to: end })
  expect(found.previous).toMatchObject({ date_from: from, date_to: to })
})

test('a report without a period is about the last full month', () => {
  expect(reportPeriod({}, '2026-03-01').label).toBe('February 2026')
  expect(reportPeriod({}, '2026-01-31').label).toBe('December 2025')
})

test('a period of 366 days is accepted, and one of 367 is not', () => {
  expect(
    reportPeriod({ period_start: '2025-01-01', period_end: '2026-01-01' }, '2026-05-01').period.days,
  ).toBe(366)
  expect(() => reportPeriod({ period_start: '2024-12-31', period_end: '2026-01-01' }, '2026-05-01')).toThrow(
    'at most 366',
  )
})

test('today is accepted as the last day, and tomorrow is not', () => {
  expect(
    reportPeriod({ period_start: '2026-05-01', period_end: '2026-05-02' }, '2026-05-02').period.days,
  ).toBe(2)
  expect(() => reportPeriod({ period_start: '2026-05-01', period_end: '2026-05-03' }, '2026-05-02')).toThrow(
    'future',
  )
})
