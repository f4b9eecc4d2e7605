/**
 * Returns milliseconds since the epoch from a sender's time, or null. Accepts RFC 3339 (UTC without a zone),
 * the time of the common log format, and epoch seconds, milliseconds, microseconds or nanoseconds as number
 * or text.
 */
export function instantOf(value: unknown): number | null {
  if (typeof value === 'number') return epoch(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text.charCodeAt(4) === 45) return rfc3339(text, text.length)
  if (text.charCodeAt(4) === 47)
    return slashed.test(text) ? rfc3339(text.replaceAll('/', '-'), text.length) : null
  if (text.charCodeAt(3) === 44) return rfc1123(text)
  if (/^\d{9,19}(\.\d{1,9})?$/.test(text)) return epoch(Number(text))
  return clfInstant(text, text.startsWith('[') ? 1 : 0)
}

/** Whether a time that `instantOf` reads has no zone, so that it counts as UTC without having said so. */
export function isZoneless(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const fourth = value.charCodeAt(4)
  const from = fourth === 45 || fourth === 47 ? 19 : value.charCodeAt(2) === 47 ? 20 : -1
  return from === -1 ? zonelessEnd.test(value) : endsAfterSecond(value, from)
}

/** The end of a time with spaces or a bracket before it. */
const zonelessEnd = /^[\s[]{1,8}[^\s:]{10,11}[T:\s]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?[\]\s]{0,8}$/

/** Whether at most a fraction of a second follows. */
function endsAfterSecond(text: string, from: number): boolean {
  const mark = text.charCodeAt(from)
  if (from >= text.length || mark === 93) return true
  if (mark !== 46 && mark !== 44) return false
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 93) return true
    if (code < 48 || code > 57) return false
  }
  return true
}

/** `2026/11/28 11:07:49`, as programs in Go write it. */
const slashed = /^\d{4}\/\d\d\/\d\d[ T]/
const ofMail = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) (GMT|UTC|[+-]\d{4})$/

/** Reads the time of mails and of the header `Date`: `Sat, 28 Nov 2026 11:07:49 GMT`. */
function rfc1123(text: string): number | null {
  const [, day, month, year, time, zone = ''] = ofMail.exec(text) ?? []
  return day === undefined
    ? null
    : clfInstant(`${day}/${month}/${year}:${time} ${/[+-]/.test(zone) ? zone : '+0000'}`, 0)
}

const epochMin = 1e8

/** The size of the number determines its unit. The ranges do not overlap between 1973 and 5138. */
function epoch(value: number): number | null {
  if (!(value >= epochMin && value < 1e20)) return null
  if (value < 1e11) return Math.round(value * 1000)
  if (value < 1e14) return Math.round(value)
  return value < 1e17 ? Math.round(value / 1e3) : Math.round(value / 1e6)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Months by their letters, as one number. */
const monthAt = new Map(months.map((name, at) => [lettersAt(name, 0), at + 1]))

/**
 * Reads `20/Nov/2026:16:42:52 +0100` from index `at`. A fraction of a second may follow, and a missing zone is UTC.
 * Null for an unreadable zone such as `CET`, because its day would be a guess.
 */
export function clfInstant(text: string, at: number): number | null {
  if (text.charCodeAt(at + 2) !== 47 || text.charCodeAt(at + 6) !== 47 || text.charCodeAt(at + 11) !== 58)
    return null
  const month = monthAt.get(lettersAt(text, at + 3)) ?? Number.NaN
  const seconds = utcSeconds(yearAt(text, at + 7), month, twoAt(text, at), text, at + 12)
  if (Number.isNaN(seconds)) return null
  const sign = text.charCodeAt(at + 21)
  if (text.charCodeAt(at + 20) === 32 && (sign === 43 || sign === 45)) {
    const offset = twoAt(text, at + 22) * 60 + twoAt(text, at + 24)
    if (offset < 1440) return (sign === 43 ? seconds - offset * 60 : seconds + offset * 60) * 1000
  }
  const fraction = fractionAt(text, at + 20)
  const ms = seconds * 1000 + fraction.ms
  if (endsAt(text, fraction.at)) return ms
  const offset = zoneAt(text, fraction.at, clfEnd(text, fraction.at))
  return offset === null ? null : ms - offset * 60_000
}

/** Whether the time ends here: at the end of the text, or before a closing bracket. */
const endsAt = (text: string, at: number) => at === text.length || text.charCodeAt(at) === 93

/** Returns the index of the closing bracket, within the length of a zone, or the end of the text. */
function clfEnd(text: string, from: number): number {
  for (let at = from; at < from + 8; at++) if (endsAt(text, at)) return at
  return text.length
}

/** Reads RFC 3339, also with a space instead of the T, and without a zone. */
function rfc3339(text: string, end: number): number | null {
  const letter = text.charCodeAt(10)
  if (text.charCodeAt(7) !== 45 || (letter !== 84 && letter !== 116 && letter !== 32)) return null
  const seconds = utcSeconds(yearAt(text, 0), twoAt(text, 5), twoAt(text, 8), text, 11)
  if (Number.isNaN(seconds)) return null
  const { ms, at } = fractionAt(text, 19)
  if (at === end) return seconds * 1000 + ms
  const offset = zoneAt(text, at, end)
  return offset === null ? null : seconds * 1000 + ms - offset * 60_000
}

/** Returns minutes east of UTC. */
function zoneAt(text: string, at: number, end: number): number | null {
  const zone = /^\s?(?:UTC|GMT|Z|([+-])(\d\d)(?::?(\d\d))?)$/i.exec(text.slice(at, end))
  if (!zone) return null
  const minutes = Number(zone[2] ?? 0) * 60 + Number(zone[3] ?? 0)
  return minutes < 1440 ? (zone[1] === '-' ? -minutes : minutes) : null
}

/** Returns the milliseconds of an optional fraction at `at`, and its end. Up to nine digits. */
function fractionAt(text: string, at: number): { readonly ms: number; readonly at: number } {
  const mark = text.charCodeAt(at)
  if (mark !== 46 && mark !== 44) return { ms: 0, at }
  let ms = 0
  let end = at + 1
  for (; end < at + 10; end++) {
    const digit = text.charCodeAt(end) - 48
    if (!(digit >= 0 && digit <= 9)) break
    if (end < at + 4) ms += digit * 10 ** (3 - (end - at))
  }
  return { ms, at: end === at + 1 ? at : end }
}

/**
 * Returns seconds since the epoch of a day and the `hh:mm:ss` at `at`, or NaN if the calendar has no such
 * moment.
 */
function utcSeconds(year: number, month: number, day: number, text: string, at: number): number {
  if (text.charCodeAt(at + 2) !== 58 || text.charCodeAt(at + 5) !== 58) return Number.NaN
  const hour = twoAt(text, at)
  const minute = twoAt(text, at + 3)
  const second = twoAt(text, at + 6)
  // NaN fails every comparison. A leap second counts as the second after it.
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN
  if (!(hour < 24 && minute < 60 && second <= 60) || (day > 28 && day > daysIn(year, month)))
    return Number.NaN
  return epochDay(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
}

/** Returns days since the epoch, for years that begin in March. */
function epochDay(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1
  const dayOfYear = Math.trunc((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const leaps = Math.trunc(shifted / 4) - Math.trunc(shifted / 100) + Math.trunc(shifted / 400)
  return shifted * 365 + leaps + dayOfYear - 719_468
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
}

function yearAt(text: string, at: number): number {
  return twoAt(text, at) * 100 + twoAt(text, at + 2)
}

/** Returns the number of two decimals, or NaN. */
function twoAt(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Three characters as one number, which no other three have. */
function lettersAt(text: string, at: number): number {
  return text.charCodeAt(at) * 4_294_967_296 + text.charCodeAt(at + 1) * 65_536 + text.charCodeAt(at + 2)
}
