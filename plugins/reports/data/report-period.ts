import { daysBetween, type Period, refusedField } from 'renown'

/** The period of a report, the one before it, and its name. */
export interface ReportPeriod {
  readonly period: Period
  readonly previous: Period
  /** Such as `October 2026`, `Q3 2026` or `3–17 Oct 2026`. */
  readonly label: string
}

const daysMax = 366
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/**
 * Returns the period that a report is asked for. Default: the last full month. A full month is compared with the month
 * before it, a full quarter with the quarter before it, and other periods with the same number of days before them.
 */
export function reportPeriod(
  asked: { readonly period_start?: string | undefined; readonly period_end?: string | undefined },
  today: string,
): ReportPeriod {
  const { period_start: start, period_end: end } = asked
  if (start === undefined && end === undefined) {
    const month = Temporal.PlainDate.from(today).with({ day: 1 })
    return namedPeriod(String(month.subtract({ months: 1 })), String(month.subtract({ days: 1 })))
  }
  if (start === undefined || end === undefined) {
    const missing = start === undefined ? 'period_start' : 'period_end'
    throw refusedField(missing, 'Send period_start and period_end together.', 'required')
  }
  if (end < start) throw refusedField('period_end', 'period_end is before period_start.')
  if (end > today) throw refusedField('period_end', `period_end is in the future: today is ${today}.`)
  if (daysBetween(start, end) + 1 > daysMax) {
    throw refusedField('period_start', `A report covers at most ${daysMax} days.`)
  }
  return namedPeriod(start, end)
}

/** Returns the period from one day to another, with its name and the one before it. */
export function namedPeriod(start: string, end: string): ReportPeriod {
  const first = Temporal.PlainDate.from(start)
  const span = monthsIn(first, Temporal.PlainDate.from(end))
  const isQuarter = span === 3 && first.month % 3 === 1
  const period = between(start, end)
  const lastBefore = String(first.subtract({ days: 1 }))
  const previous =
    span === 1 || isQuarter
      ? between(String(first.subtract({ months: span })), lastBefore)
      : between(String(first.subtract({ days: period.days })), lastBefore)
  if (span === 1) return { period, previous, label: `${months[first.month - 1]} ${start.slice(0, 4)}` }
  if (isQuarter) return { period, previous, label: `Q${(first.month + 2) / 3} ${start.slice(0, 4)}` }
  return { period, previous, label: rangeLabel(start, end) }
}

const between = (date_from: string, date_to: string): Period => ({
  date_from,
  date_to,
  days: daysBetween(date_from, date_to) + 1,
})

/** Returns the number of full calendar months from one day to another. 0 if they are not full months. */
function monthsIn(start: Temporal.PlainDate, end: Temporal.PlainDate): number {
  const after = end.add({ days: 1 })
  if (start.day !== 1 || after.day !== 1) return 0
  return start.until(after, { largestUnit: 'months' }).months
}

/** Returns a short range, such as `3–17 Oct 2026` or `28 Dec 2025 – 3 Jan 2026`. */
function rangeLabel(start: string, end: string): string {
  const [from, to] = [start, end].map((day) => {
    const month = months[Number(day.slice(5, 7)) - 1]?.slice(0, 3) ?? ''
    return { day: String(Number(day.slice(8))), month, year: day.slice(0, 4) }
  }) as [Day, Day]
  if (start === end) return `${to.day} ${to.month} ${to.year}`
  if (from.year !== to.year) {
    return `${from.day} ${from.month} ${from.year} – ${to.day} ${to.month} ${to.year}`
  }
  if (from.month !== to.month) return `${from.day} ${from.month} – ${to.day} ${to.month} ${to.year}`
  return `${from.day}–${to.day} ${to.month} ${to.year}`
}

interface Day {
  readonly day: string
  readonly month: string
  readonly year: string
}
