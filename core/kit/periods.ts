import * as v from 'valibot'
import type { ReadContext } from '../contracts/context'
import { field } from '../contracts/field'
import { hourMs } from '../contracts/time'
import { daysBetween, shiftDay } from './calendar-days'
import { namedDays, saidPeriod } from './named-periods'
import { refusedField } from './refused-field'
import { remembered } from './remembered'

export * from './calendar-days'
export * from './named-periods'

const daysMax = 366
const earliest = '1000-01-01'

/** A range of calendar days. Both ends are included. */
export interface Period {
  readonly date_from: string
  readonly date_to: string
  readonly days: number
}

/** The input fields of an operation with a period: its name, `days` up to today, or both dates. */
export const periodInput = {
  period: v.optional(saidPeriod),
  days: v.optional(field.integer('Number of days up to today', { min: 1, max: daysMax })),
  date_from: v.optional(field.day('First day; together with date_to, instead of days')),
  date_to: v.optional(field.day('Last day, inclusive; not in the future')),
}

/** The schema of a period in an answer. */
export const periodSchema = (description: string) =>
  v.pipe(
    v.object({
      date_from: field.day('First day'),
      date_to: field.day('Last day, inclusive'),
      days: field.integer('Days in it', { min: 1 }),
    }),
    v.description(description),
  )

/** A period as an operation is asked for it. */
export interface PeriodWish {
  readonly period?: string
  readonly days?: number
  readonly date_from?: string
  readonly date_to?: string
}

/**
 * Returns the requested period and the period of the same length before it. Rejects a single date, reversed dates,
 * the future, years before 1000 and more than 366 days.
 */
export function periodOf(
  input: PeriodWish,
  { today, days: fallback }: { readonly today: string; readonly days: number },
): { period: Period; previous: Period } {
  const { date_from, date_to } = input
  if (input.period !== undefined) {
    if (input.days !== undefined || date_from !== undefined || date_to !== undefined)
      throw refusedField('period', 'send either period, days or both dates', 'exclusive')
    return checked(namedDays(input.period, today), today, { first: 'period', last: 'period' })
  }
  if ((date_from === undefined) !== (date_to === undefined)) {
    const missing = date_from === undefined ? 'date_from' : 'date_to'
    throw refusedField(missing, 'send date_from and date_to together', 'required')
  }
  if (date_from === undefined || date_to === undefined) {
    const days = input.days ?? fallback
    return withPrevious(shiftDay(today, 1 - days), days)
  }
  if (input.days !== undefined) throw refusedField('days', 'send either days or both dates', 'exclusive')
  return checked({ date_from, date_to }, today, { first: 'date_from', last: 'date_to' })
}

/** Returns the period of two days that a request names in its fields `first` and `last`. */
function checked(
  { date_from, date_to }: Pick<Period, 'date_from' | 'date_to'>,
  today: string,
  { first, last }: { readonly first: string; readonly last: string },
) {
  const named = first === last ? 'its last day' : last
  // The previous period needs a year of four digits too.
  if (date_from < earliest) throw refusedField(first, `a period begins on ${earliest} or later`)
  if (date_to < date_from)
    throw refusedField(last, `${named} is before ${first === last ? 'its first' : first}`)
  if (date_to > today) throw refusedField(last, `${named} is in the future: today is ${today}`)
  const days = daysBetween(date_from, date_to) + 1
  if (days > daysMax) throw refusedField(first, `a period has at most ${daysMax} days`)
  return withPrevious(date_from, days)
}

/** Returns the formatter of days in a time zone. */
const calendarOf = remembered(
  (timezone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
)

/** Returns the calendar day of an instant in an IANA time zone, `YYYY-MM-DD`. */
export function dayIn(timezone: string, at: Date): string {
  const parts = Object.fromEntries(
    calendarOf(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  return `${String(parts.year).padStart(4, '0')}-${parts.month}-${parts.day}`
}

/** Returns the formatter of the time of day in a time zone. */
const clockOf = remembered(
  (timezone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

/** Returns the calendar day of an instant in a time zone, and the minute of that day on its clock. */
export function localTime(timezone: string, at: Date): { readonly day: string; readonly minute: number } {
  const parts = clockOf(timezone).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  return { day: dayIn(timezone, at), minute: part('hour') * 60 + part('minute') }
}

/** Returns today's calendar day in a workspace. */
export const todayOf = ({ workspace, now }: Pick<ReadContext, 'workspace' | 'now'>): string =>
  dayIn(workspace.timezone, now())

/**
 * Returns the first instant of a calendar day in a time zone, also on days with a clock change. Finding one takes 27 looks at the
 * calendar, and pages ask for the same days each time.
 */
export const dayStart: (timezone: string, day: string) => string = remembered(findDayStart)

function findDayStart(timezone: string, day: string): string {
  // No time zone is more than 14 hours from UTC, and one has skipped a whole day.
  let before = Date.parse(day) - 15 * hourMs
  let after = Date.parse(day) + 39 * hourMs
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dayIn(timezone, new Date(middle)) < day) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}

/**
 * Returns the instants of a period in a time zone: from the start of its first day to the start of the day after its
 * last.
 */
export const instantsOf = (
  { date_from, date_to }: Pick<Period, 'date_from' | 'date_to'>,
  timezone: string,
): { from: string; before: string } => ({
  from: dayStart(timezone, date_from),
  before: dayStart(timezone, shiftDay(date_to, 1)),
})

function withPrevious(date_from: string, days: number) {
  const span = (first: string): Period => ({ date_from: first, date_to: shiftDay(first, days - 1), days })
  return { period: span(date_from), previous: span(shiftDay(date_from, -days)) }
}
