import type { Database } from 'bun:sqlite'
import { dayMs } from '../../../contracts/time'
import { matchFunction } from '../../../query/to-sqlite'
import { continueFunction } from './interrupt'

/** The name of the SQL function that returns the first day of an instant's period in a time zone. */
export const periodFunction = 'period_start'

/** Adds our SQL functions to a connection. Every connection needs them. Stored expressions do not use them. */
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
  if (unit !== 'week') return day
  const time = Date.parse(`${day}T00:00:00.000Z`)
  const sinceMonday = (new Date(time).getUTCDay() + 6) % 7
  return new Date(time - sinceMonday * dayMs).toISOString().slice(0, 10)
}

/**
 * Returns the calendar day of an instant in a zone. Offsets change on quarters of an hour, so each quarter is looked
 * up once.
 */
export function dayIn(zone: string): (instant: string) => string {
  if (zone === 'UTC') return (instant) => instant.slice(0, 10)
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const byQuarter = memo((quarter) => format.format(Number(quarter) * 900_000))
  return (instant) => byQuarter(String(Math.floor(Date.parse(instant) / 900_000)))
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
