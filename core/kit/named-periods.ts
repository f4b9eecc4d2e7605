import { daysBetween, mondayOf, shiftDay } from './calendar-days'

/** Periods that people name. Weeks begin on Monday. A period with `this` ends today. */
export const periodNames = [
  ...['today', 'yesterday', 'last_7_days', 'last_30_days', 'last_90_days', 'this_week', 'last_week'],
  ...['this_month', 'last_month', 'this_quarter', 'last_quarter', 'this_year', 'last_year'],
] as const
/** The name of a period. */
export type PeriodName = (typeof periodNames)[number]

interface Days {
  readonly date_from: string
  readonly date_to: string
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Returns the days of a named period, both included. */
export function namedDays(name: PeriodName, today: string): Days {
  const recent = /^last_(\d{1,3})_days$/.exec(name)
  if (recent) return { date_from: shiftDay(today, 1 - Number(recent[1])), date_to: today }
  const unit = unitOf(name)
  const first = firstOf(unit, today)
  if (name === 'today' || name.startsWith('this_')) return { date_from: first, date_to: today }
  return { date_from: before(unit, first), date_to: shiftDay(first, -1) }
}

/**
 * Returns the same part of the calendar period before: for the first nine days of this month, the first nine days of the last
 * one. Null for periods that follow no calendar.
 */
export function calendarBefore(name: PeriodName, today: string): Days | null {
  if (/^last_\d/.test(name)) return null
  const unit = unitOf(name)
  const { date_from, date_to } = namedDays(name, today)
  const first = before(unit, date_from)
  const last = shiftDay(date_from, -1)
  const isWhole = name === 'yesterday' || name.startsWith('last_')
  const same = shiftDay(first, daysBetween(date_from, date_to))
  return { date_from: first, date_to: isWhole || same > last ? last : same }
}

function unitOf(name: string): Unit {
  if (name === 'today' || name === 'yesterday') return 'day'
  return name.slice(5) as Unit
}

/** The first day of the unit that a day is in. */
function firstOf(unit: Unit, day: string): string {
  if (unit === 'day') return day
  if (unit === 'week') return mondayOf(day)
  if (unit === 'year') return `${day.slice(0, 4)}-01-01`
  const month = Number(day.slice(5, 7))
  const first = unit === 'month' ? month : month - ((month - 1) % 3)
  return `${day.slice(0, 4)}-${String(first).padStart(2, '0')}-01`
}

/** The first day of the unit before one that begins on a day. */
const before = (unit: Unit, first: string): string => firstOf(unit, shiftDay(first, -1))
