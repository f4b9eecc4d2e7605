import { hourMs } from 'renown/contracts'

/** Returns the day of a moment in a time zone. */
export type DayOf = (ts: number, timezone: string) => string

interface Day {
  readonly from: number
  readonly to: number
  readonly date: string
}
interface Zone {
  readonly format: (ts: number) => string
  /** Newest first, because consecutive hits mostly have the same day. */
  days: Day[]
}

/** Enough for the accepted week, and for a log that is imported backwards. */
const daysKept = 32

/**
 * Converts milliseconds to `YYYY-MM-DD` in an IANA zone. The bounds of each day are cached, so a hit costs two
 * comparisons. An unknown zone counts as UTC.
 */
export function createDays(): DayOf {
  const zones = new Map<string, Zone>()
  return (ts, timezone) => {
    let zone = zones.get(timezone)
    if (!zone) {
      zone = { format: formatIn(timezone), days: [] }
      zones.set(timezone, zone)
    }
    for (const day of zone.days) if (ts >= day.from && ts < day.to) return day.date
    return remember(zone, ts).date
  }
}

function remember(zone: Zone, ts: number): Day {
  const date = zone.format(ts)
  const day = { from: boundary(zone, ts, date, -1), to: boundary(zone, ts, date, 1), date }
  zone.days = [day, ...zone.days.slice(0, daysKept - 1)]
  return day
}

/** Returns the first instant of the day, or the first instant after it. */
function boundary(zone: Zone, ts: number, date: string, direction: 1 | -1): number {
  let inside = ts
  let outside = ts
  do {
    inside = outside
    outside += direction * hourMs
  } while (zone.format(outside) === date)
  while (Math.abs(outside - inside) > 1) {
    const middle = Math.floor((inside + outside) / 2)
    if (zone.format(middle) === date) inside = middle
    else outside = middle
  }
  return direction === 1 ? outside : inside
}

function formatIn(timezone: string): (ts: number) => string {
  const format = formatterOf(timezone)
  return (ts) => {
    let year = ''
    let month = ''
    let day = ''
    for (const part of format.formatToParts(ts)) {
      if (part.type === 'year') year = part.value.padStart(4, '0')
      else if (part.type === 'month') month = part.value
      else if (part.type === 'day') day = part.value
    }
    return `${year}-${month}-${day}`
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const style = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601', { ...style, timeZone })
  } catch {
    return new Intl.DateTimeFormat('en-u-ca-iso8601', { ...style, timeZone: 'UTC' })
  }
}
