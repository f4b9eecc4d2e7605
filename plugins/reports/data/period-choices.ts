import { shiftDay } from 'renown'

/** The periods that a person chooses from. `days` means the two days of the form. */
export const periodChoices = [
  ['last_month', 'Last month'],
  ['this_month', 'This month, until today'],
  ['last_quarter', 'Last quarter'],
  ['this_quarter', 'This quarter, until today'],
  ['last_28_days', 'Last 28 days'],
  ['days', 'Own days'],
] as const

/** A period by its name. */
export type PeriodChoice = (typeof periodChoices)[number][0]

/** Returns the days of a choice, both inclusive, on a day in the time zone of the workspace. */
export function chosenPeriod(
  choice: Exclude<PeriodChoice, 'days'>,
  today: string,
): { readonly period_start: string; readonly period_end: string } {
  const day = Temporal.PlainDate.from(today)
  const month = day.with({ day: 1 })
  const quarter = month.subtract({ months: (day.month - 1) % 3 })
  const before = (start: Temporal.PlainDate, months: number) => ({
    period_start: String(start.subtract({ months })),
    period_end: String(start.subtract({ days: 1 })),
  })
  switch (choice) {
    case 'last_month':
      return before(month, 1)
    case 'last_quarter':
      return before(quarter, 3)
    case 'this_month':
      return { period_start: String(month), period_end: today }
    case 'this_quarter':
      return { period_start: String(quarter), period_end: today }
    case 'last_28_days':
      return { period_start: shiftDay(today, -27), period_end: today }
  }
}
