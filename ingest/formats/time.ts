/**
 * Milliseconds since the epoch from what senders call a time: RFC 3339 (a zone left out is UTC), the time of the
 * common log format, epoch seconds, milliseconds, microseconds or nanoseconds as number or text. Else null.
 */
export function instantOf(value: unknown): number | null {
  if (typeof value === 'number') return epoch(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (/^\d{9,19}(\.\d{1,9})?$/.test(text)) return epoch(Number(text))
  return clfInstant(text, text.startsWith('[') ? 1 : 0) ?? rfc3339(text)
}

const epochMin = 1e8

/** The unit follows from the size: none of the readings overlap between 1973 and 5138. */
function epoch(value: number): number | null {
  if (!(value >= epochMin && value < 1e20)) return null
  if (value < 1e11) return Math.round(value * 1000)
  if (value < 1e14) return Math.round(value)
  return value < 1e17 ? Math.round(value / 1e3) : Math.round(value / 1e6)
}

const monthAt: Readonly<Record<string, number>> = {
  Jan: 0,
  Feb: 1,
  Mar: 2,
  Apr: 3,
  May: 4,
  Jun: 5,
  Jul: 6,
  Aug: 7,
  Sep: 8,
  Oct: 9,
  Nov: 10,
  Dec: 11,
}

/** `20/Nov/2026:16:42:52 +0100`, from `at` on; a fraction of a second may follow, and a missing zone is UTC. */
export function clfInstant(text: string, at: number): number | null {
  if (text.charCodeAt(at + 2) !== 47 || text.charCodeAt(at + 6) !== 47 || text.charCodeAt(at + 11) !== 58)
    return null
  const month = monthAt[text.slice(at + 3, at + 6)]
  if (month === undefined) return null
  const instant = utc(
    digits(text, at + 7, 4),
    month,
    digits(text, at, 2),
    digits(text, at + 12, 2),
    digits(text, at + 15, 2),
    digits(text, at + 18, 2),
  )
  if (instant === null) return null
  const sign = text.charCodeAt(at + 21)
  if (text.charCodeAt(at + 20) === 32 && (sign === 43 || sign === 45)) {
    const offset = digits(text, at + 22, 2) * 60 + digits(text, at + 24, 2)
    return offset >= 0 && offset < 1440 ? instant + (sign === 43 ? -60_000 : 60_000) * offset : null
  }
  const fraction = /^\.(\d{1,9})/.exec(text.slice(at + 20, at + 30))
  return instant + (fraction ? Math.floor(Number(`0.${fraction[1]}`) * 1000) : 0)
}

const rfc3339Text =
  /^(\d{4})-(\d\d)-(\d\d)[T t](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/

function rfc3339(text: string): number | null {
  const match = rfc3339Text.exec(text)
  if (!match) return null
  const part = (at: number) => Number(match[at])
  const instant = utc(part(1), part(2) - 1, part(3), part(4), part(5), part(6))
  if (instant === null) return null
  const zone = match[8] ?? 'Z'
  const fraction = match[7] ? Math.floor(Number(`0.${match[7]}`) * 1000) : 0
  if (!/^[+-]/.test(zone)) return instant + fraction
  const offset = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0)
  if (offset >= 1440) return null
  return instant + fraction + (zone.startsWith('+') ? -60_000 : 60_000) * offset
}

/** Null where no such moment is on the calendar. A leap second is the one after it. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  if (!(year >= 1970 && month >= 0 && month < 12 && day >= 1 && day <= 31)) return null
  if (!(hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second <= 60)) return null
  if (day > 28 && day > daysIn(year, month)) return null
  return Date.UTC(year, month, day, hour, minute, second)
}

function daysIn(year: number, month: number): number {
  if (month !== 1) return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
}

/** A number of exactly `count` decimals, or NaN. */
function digits(text: string, at: number, count: number): number {
  let value = 0
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}
