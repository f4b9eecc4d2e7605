import * as v from 'valibot'
import { isDay } from '../contracts/values'
import { daysBetween, mondayOf, shiftDay } from './calendar-days'

/**
 * Periods as people say them: `today`, `yesterday`, `last_30_days`, `this_week`, `last_quarter` and the like, a month such as
 * `2026-10`, or two days such as `2026-10-05/2026-10-18`, both included. Years from 1000 to 2999.
 */
const said =
  /^(?:today|yesterday|last_[1-9]\d{0,2}_days|(?:this|last)_(?:week|month|quarter|year)|[12]\d{3}-(?:0[1-9]|1[0-2])|[12]\d{3}-\d\d-\d\d\/[12]\d{3}-\d\d-\d\d)$/

const accepted =
  'one of today, yesterday, last_N_days, this_week, last_week, this_month, last_month, this_quarter, last_quarter, this_year, last_year, a month such as 2026-10, or two days such as 2026-10-05/2026-10-18'

/** The schema of a period as people say it. Weeks begin on Monday. A period with `this` ends today. */
export const saidPeriod = v.pipe(
  v.string(),
  v.regex(said, accepted),
  v.check((text) => !text.includes('/') || text.split('/').every(isDay), accepted),
  v.description(
    'Period, instead of days: such as last_30_days, this_week, last_month, 2026-10 or 2026-10-05/2026-10-18. Weeks begin on Monday',
  ),
)

interface Days {
  readonly date_from: string
  readonly date_to: string
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Returns the days of a period, both included. The current month ends today. */
export function namedDays(name: string, today: string): Days {
  const recent = /^last_(\d{1,3})_days$/.exec(name)
  if (recent) return { date_from: shiftDay(today, 1 - Number(recent[1])), date_to: today }
  if (name.includes('/')) return { date_from: name.slice(0, 10), date_to: name.slice(11) }
  if (isMonth(name)) {
    const date_from = `${name}-01`
    const last = shiftDay(firstOf('month', shiftDay(date_from, 31)), -1)
    return { date_from, date_to: date_from <= today && today < last ? today : last }
  }
  const unit = unitOf(name)
  const first = firstOf(unit, today)
  if (name === 'today' || name.startsWith('this_')) return { date_from: first, date_to: today }
  return { date_from: before(unit, first), date_to: shiftDay(first, -1) }
}

/**
 * Returns the same part of the calendar period before: for the first nine days of this month, the first nine days of the last
 * one. Null for periods that follow no calendar.
 */
export function calendarBefore(name: string, today: string): Days | null {
  if (/^last_\d|\//.test(name)) return null
  const unit = unitOf(name)
  const { date_from, date_to } = namedDays(name, today)
  const first = before(unit, date_from)
  const last = shiftDay(date_from, -1)
  const isWhole =
    name === 'yesterday' || name.startsWith('last_') || (isMonth(name) && !today.startsWith(name))
  const same = shiftDay(first, daysBetween(date_from, date_to))
  return { date_from: first, date_to: isWhole || same > last ? last : same }
}

const isMonth = (name: string) => /^\d{4}-\d\d$/.test(name)

function unitOf(name: string): Unit {
  if (isMonth(name)) return 'month'
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
