import type { Database } from 'bun:sqlite'
import { dayMs } from '../../../contracts/time'
import { mondayOf } from '../../../kit/calendar-days'
import { matchFunction } from '../../../query/to-sqlite'
import { continueFunction } from './interrupt'

/** The name of the SQL function that returns the first day of an instant's period in a time zone. */
export const periodFunction = 'period_start'

/**
 * Adds Renown's SQL functions to a connection. Every connection needs them. Stored expressions do not use
 * them.
 */
export function addFunctions(db: Database, pass: () => 1): void {
  db.function(continueFunction, {}, pass)
  const patterns = memo((pattern) => new RegExp(pattern, 'u'))
  db.function(matchFunction, { deterministic: true }, (text, pattern) =>
    typeof text === 'string' && patterns(String(pattern)).test(text) ? 1 : 0,
  )
  const zones = memo((zone) => dayIn(zone))
  db.function(periodFunction, { deterministic: true }, (instant, unit, zone) =>
    typeof instant === 'string' ? periodStart(zones(String(zone))(instant), String(unit)) : null,
  )
}

/** Returns the first day of the week or month of a day, or the day itself for `day`. Weeks start on Monday. */
export function periodStart(day: string, unit: string): string {
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  return unit === 'week' ? mondayOf(day) : day
}

/**
 * Returns the calendar day of an instant in a zone. A day of UTC holds one midnight of the zone, which is looked up once.
 * On days when the clocks change, each quarter of an hour is looked up, because offsets change on quarters.
 */
export function dayIn(zone: string): (instant: string) => string {
  if (zone === 'UTC') return (instant) => instant.slice(0, 10)
  const clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...digits, hourCycle: 'h23' })
  const timeAt = (ms: number) => clock.format(ms).split(', ') as [day: string, time: string]
  const byQuarter = memo((quarter) => timeAt(Number(quarter) * quarterMs)[0])
  const midnights = memo((day) => midnightIn(Date.parse(`${day}T00:00:00.000Z`), timeAt))
  return (instant) => {
    const midnight = stored.test(instant) ? midnights(instant.slice(0, 10)) : null
    if (midnight === null) return byQuarter(String(Math.floor(Date.parse(instant) / quarterMs)))
    return instant < midnight.at ? midnight.before : midnight.after
  }
}

const quarterMs = 900_000
const digits = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const
/** Instants as stores write them. Their order as text is their order in time. */
const stored = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Returns when the zone's day changes within a day of UTC, and the days before and after it. Null if the clocks change
 * on that day.
 */
function midnightIn(start: number, timeAt: (ms: number) => [day: string, time: string]) {
  const [before, time] = timeAt(start)
  const [after, later] = timeAt(start + dayMs)
  if (time !== later) return null
  const sinceMidnight = Date.parse(`1970-01-01T${time}.000Z`)
  return { at: new Date(start + dayMs - sinceMidnight).toISOString(), before, after }
}

function memo<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return (key) => {
    const old = known.get(key)
    if (old !== undefined) return old
    if (known.size >= 4096) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}
