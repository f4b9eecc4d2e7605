import { expect, test } from 'bun:test'
import { chosenPeriod } from '../../../../plugins/reports/data/period-choices'
import { reportPeriod } from '../../../../plugins/reports/data/report-period'

const choices = ['last_month', 'this_month', 'last_quarter', 'this_quarter', 'last_28_days'] as const
const daysOn = (today: string) =>
  choices.map((choice) => {
    const { period_start, period_end } = chosenPeriod(choice, today)
    return `${period_start} ${period_end}`
  })

test.each([
  [
    '2026-05-20',
    ['2026-04-01 2026-04-30', '2026-05-01 2026-05-20', '2026-01-01 2026-03-31', '2026-04-01 2026-05-20'],
    '2026-04-23 2026-05-20',
  ],
  [
    '2026-01-01',
    ['2025-12-01 2025-12-31', '2026-01-01 2026-01-01', '2025-10-01 2025-12-31', '2026-01-01 2026-01-01'],
    '2025-12-05 2026-01-01',
  ],
  [
    '2028-02-29',
    ['2028-01-01 2028-01-31', '2028-02-01 2028-02-29', '2027-10-01 2027-12-31', '2028-01-01 2028-02-29'],
    '2028-02-02 2028-02-29',
  ],
])('the periods on %s are these', (today, months, last) => {
  expect(daysOn(today)).toEqual([...months, last])
})

test('each of them can be asked for', () => {
  for (const choice of choices) {
    expect(() => reportPeriod(chosenPeriod(choice, '2026-05-20'), '2026-05-20')).not.toThrow()
  }
})
