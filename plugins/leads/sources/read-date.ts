import { dayMs } from 'renown'
import { type Said, said } from 'renown/sources'
import { isWeekday, monthOf } from './date-words'
import { instantIn, offsetOf, type Zone, zoneOf } from './date-zones'

/** A longer text is no date. */
const lengthMax = 100
/** Dates of posts lie between these years. Others are of another calendar, or mistakes. */
const years = { first: 1970, last: 2199 } as const

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** A text of which the parts that were read are taken away. */
interface Rest {
  text: string
}

/**
 * Reads a date as feeds and pages write it: ISO 8601, RFC 822, seconds since 1970, and what people write in many languages. It
 * is read whole or not at all. A date without a time or a zone, one whose day may be the month, and one with an unknown word
 * are `unknown`. An empty text is `none`.
 *
 * @param language The language of the text, for names of months that mean another one elsewhere.
 */
export function readDate(given: string | null | undefined, language?: string): Said<string> {
  const text = tidied(given ?? '')
  if (text === '') return said.none
  if (text.length > lengthMax) return said.unknown('it is too long')
  const ms = epochOf(text) ?? instantOf({ text }, language)
  if (typeof ms === 'string') return said.unknown(ms)
  const at = new Date(ms)
  const year = Number.isNaN(ms) ? 0 : at.getUTCFullYear()
  if (year < years.first || year > years.last) return said.unknown('its year is not of our time')
  // In some zone it is the first second of that year.
  if (ms < dayMs) return said.unknown('it is the start of 1970, which programs write for no date')
  return said.value(at.toISOString())
}

/** Returns a date as ISO 8601. Undefined if none is said, or if it cannot be read with certainty. */
export function dateOf(given: string | null | undefined, language?: string): string | undefined {
  const read = readDate(given, language)
  return read.is === 'value' ? read.value : undefined
}

/** The zeros of scripts that write dates with digits of their own. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xbe6, 0xe50]

const tidied = (text: string): string =>
  text
    .slice(0, lengthMax * 4)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = zeros.find((start) => code >= start && code <= start + 9)
      return zero === undefined ? digit : String(code - zero)
    })
    .replace(/[−‐‑–]/g, '-')
    .replace(/\s{1,400}/g, ' ')
    .trim()

/** Seconds, milliseconds or microseconds since 1970, also as .NET writes them. */
function epochOf(text: string): number | undefined {
  const net = /^\/Date\((\d{9,13})(?:[+-]\d{4})?\)\/$/.exec(text)?.[1]
  if (net !== undefined) return Number(net)
  const seconds = /^(\d{9,10})(?:[.,](\d{1,9}))?$/.exec(text)
  if (seconds) return Math.floor(Number(`${seconds[1]}.${seconds[2] ?? 0}`) * 1_000)
  if (/^\d{12,13}$/.test(text)) return Number(text)
  return /^\d{16}$/.test(text) ? Math.floor(Number(text) / 1_000) : undefined
}

/** Reads the parts of a date one after another. Returns the instant in milliseconds, or why it is unknown. */
function instantOf(rest: Rest, language: string | undefined): number | string {
  const bracket = take(rest, /\[([A-Za-z][\w+\-/]{1,40})\]/)
  take(rest, /\([^()]{0,60}\)/)
  const place = take(rest, /(?<!\p{L})[A-Z][A-Za-z]{1,20}\/[A-Za-z][\w+-]{1,30}(?:\/[A-Za-z]\w{1,30})?/u)
  const numbered = numberedDay(rest)
  if (numbered === 'ambiguous') return 'its day may be its month'
  const time = timeOf(rest)
  if (time === undefined) return 'it says no time of day'
  const offset = offsetIn(rest)
  const words = wordsOf(rest, language, numbered === undefined)
  if (typeof words === 'string') return words
  const zone = zoneFrom(offset, words.zones, place?.[0] ?? bracket?.[1])
  if (zone === undefined) return 'it says no zone that is known for certain'
  const day = numbered ?? words.day
  if (day === undefined) return 'its day is not clear'
  const local = localMs(day, time, words.half)
  if (local === undefined) return 'there is no such day or time'
  return instantIn(zone, local) ?? 'its zone is unknown, or has no such time'
}

/** Takes the first match out of the rest. */
function take(rest: Rest, pattern: RegExp): RegExpExecArray | undefined {
  const found = pattern.exec(rest.text)
  if (!found) return undefined
  rest.text = `${rest.text.slice(0, found.index)} ${rest.text.slice(found.index + found[0].length)}`
  return found
}

const iso = /(?<!\d)(\d{4})(?:-?W(\d{2})-?([1-7])|-(\d{3}))(?!\d)/
const yearFirst = /(?<!\d)(\d{4})([-/.]) ?(\d{1,2})([-/.]) ?(\d{1,2})(?!\d)/
const cjk = /(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号일]?/
const vietnamese =
  /(?:^(?:t|thứ) ?[2-7],? )?(?<!\d)(\d{1,2}) th(?:áng|g)\.? ?(\d{1,2})(?:,| năm)? (\d{4})(?!\d)/iu
const packed = /^(\d{4})(\d{2})(\d{2})(?=T\d)/
const yearLast = /(?<!\d)(\d{1,2})([-/.]) ?(\d{1,2})([-/.]) ?(\d{4}|\d{2})(?![\d.])/

/** Takes a day that is written with numbers only. Undefined if there is none. */
function numberedDay(rest: Rest): Day | 'ambiguous' | undefined {
  const counted = take(rest, iso)
  if (counted) return countedDay(counted)
  const first = take(rest, packed) ?? take(rest, cjk)
  if (first) return dayFrom(first[1], first[2], first[3])
  const dashed = take(rest, yearFirst)
  if (dashed) return dashed[2] === dashed[4] ? dayFrom(dashed[1], dashed[3], dashed[5]) : 'ambiguous'
  const spoken = take(rest, vietnamese)
  if (spoken) return dayFrom(spoken[3], spoken[2], spoken[1])
  return dayBeforeYear(rest)
}

function dayBeforeYear(rest: Rest): Day | 'ambiguous' | undefined {
  const before = rest.text
  const last = take(rest, yearLast)
  if (!last) return undefined
  const [, one = '', mark, two = '', other, year] = last
  if (mark === '.' && year?.length === 2 && !before.includes(':')) {
    // Times are written with full stops too.
    rest.text = before
    return undefined
  }
  if (mark !== other) return 'ambiguous'
  // With full stops the day comes first in every country. With slashes and dashes either may.
  if (mark === '.' || Number(one) > 12 || one === two) return dayFrom(year, two, one)
  return Number(two) > 12 ? dayFrom(year, one, two) : 'ambiguous'
}

const dayFrom = (year = '', month = '', day = ''): Day => ({
  year: fullYear(year),
  month: Number(month),
  day: Number(day),
})

/** Years of two and three digits, as RFC 5322 reads them. */
function fullYear(text: string): number {
  const year = Number(text)
  if (text.length === 2) return year < 50 ? year + 2_000 : year + 1_900
  return text.length === 3 && year < 200 ? year + 1_900 : year
}

/** Returns a day of ISO 8601 by its week, or by its number in the year. */
function countedDay([, year = '', week, weekday, ordinal]: RegExpExecArray): Day {
  const start = new Date(Date.UTC(Number(year), 0, 1))
  if (ordinal !== undefined) start.setUTCDate(Number(ordinal))
  else {
    const fourth = new Date(Date.UTC(Number(year), 0, 4))
    const monday = 4 - ((fourth.getUTCDay() + 6) % 7)
    start.setUTCDate(monday + (Number(week) - 1) * 7 + Number(weekday) - 1)
  }
  const isInside = ordinal === undefined ? Number(week) <= 53 : start.getUTCFullYear() === Number(year)
  return isInside
    ? { year: start.getUTCFullYear(), month: start.getUTCMonth() + 1, day: start.getUTCDate() }
    : { year: 0, month: 0, day: 0 }
}

interface Time {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly milli: number
  /** Whether only an hour is written, which needs a half of the day. */
  readonly isHour: boolean
}

const clocks = [
  /(?<!\d)(\d{1,2}) ?: ?(\d{2})(?: ?: ?(\d{2})(?:[.,](\d{1,12}))?)?(?!\d)/,
  /(?<!\d)(\d{1,2}) ?[時时點点시] ?(\d{1,2}) ?[分분](?: ?(\d{1,2}) ?[秒초])?/,
  /(?<!\d)(\d{1,2}) ?[hH] ?(\d{2})(?: ?(?:m|min)? ?(\d{2}) ?s?)?(?![\d\p{L}])/u,
  /(?<=[T ])(\d{2})(\d{2})(\d{2})(?:[.,](\d{1,12}))?(?!\d)/,
  /(?<=T)(\d{2})(\d{2})(?!\d)/,
  /(?<![\d.])(\d{1,2})\.(\d{2})(?:\.(\d{2}))?(?![\d.])/,
]

function timeOf(rest: Rest): Time | undefined {
  for (const pattern of clocks) {
    const found = take(rest, pattern)
    if (!found) continue
    const [, hour, minute, second = '0', part = '0'] = found
    return {
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      milli: Number(part.slice(0, 3).padEnd(3, '0')),
      isHour: false,
    }
  }
  const hour = take(rest, /(?<!\d)(\d{1,2})(?= ?[ap]\.? ?m\b)/i)
  return hour && { hour: Number(hour[1]), minute: 0, second: 0, milli: 0, isHour: true }
}

/** Takes the offset in numbers. Null: it is one that no place has. Undefined: there is none. */
function offsetIn(rest: Rest): number | null | undefined {
  const found =
    take(rest, /(?:GMT|UTC|UT) ?([+-]) ?(\d{1,2})(?::?(\d{2}))?(?!\d)/) ??
    take(rest, /(?<= )([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)/)
  if (!found) return undefined
  const [, sign = '+', hour, minute = '0'] = found
  return offsetOf(sign, Number(hour), Number(minute)) ?? null
}

/** Words between the parts of a date that say nothing about it. */
const fillers = new Set(
  'a à ad al alle am at av das de del dem den der di die dne do du el em en er från g h hrs i ii il kell kl klo klokken la le les lúc m na nd o oclock of ob on ora orele ore om os pe posted published publié rd sekunden s st t th the them to um uhr updated v vers w ve в года году год г о року року р год. às ngày 日 ، de'.split(
    ' ',
  ),
)
const morning = new Set('am 上午 凌晨 早上 午前 오전 ص öö vorm πμ पूर्वाह्न'.split(' '))
const evening = new Set('pm 下午 晚上 中午 午後 오후 م ös nachm μμ अपराह्न'.split(' '))

interface Words {
  readonly day: Day | undefined
  readonly half: 'am' | 'pm' | undefined
  readonly zones: readonly Zone[]
}

/** Reads the words and numbers that are left: the month, the half of the day, and zones. A text says which part is unknown. */
function wordsOf(rest: Rest, language: string | undefined, isDayOpen: boolean): Words | string {
  const text = rest.text.replace(/\b([ap])\. ?m\b/gi, '$1m').trim()
  if (/[^\p{L}\p{M}\d\s,.;:/\-|·@'’׳॰،]/u.test(text)) return 'it has an unknown sign'
  const tokens = text.match(/\p{L}[\p{L}\p{M}.'’׳॰]{0,40}|\d{1,9}/gu) ?? []
  const found: { half?: 'am' | 'pm'; zones: Zone[] } = { zones: [] }
  const hasMonth = (later: readonly string[]) => later.some((one) => monthOf(one, language) !== undefined)
  const numbers: string[] = []
  const months: number[] = []
  let place = 0
  for (const [index, token] of tokens.entries()) {
    if (/^\d/.test(token)) {
      numbers.push(token)
      continue
    }
    const word = token.toLowerCase().replaceAll('.', '')
    const zone =
      token === token.toUpperCase() || /^(?:utc|gmt|z)$/.test(word) ? zoneOf(word.toUpperCase()) : undefined
    if (morning.has(word)) found.half = 'am'
    else if (evening.has(word)) found.half = 'pm'
    else if (zone !== undefined) found.zones.push(zone)
    else if (index === 0 && isWeekday(token) && (!isDayOpen || hasMonth(tokens.slice(1)))) continue
    else if (isDayOpen && monthOf(token, language) !== undefined) {
      months.push(monthOf(token, language) ?? 0)
      place = numbers.length
    } else if (!fillers.has(word) && !(index === 0 && text.startsWith(`${token},`)) && !isWeekday(token))
      return `it has the unknown word ${token.slice(0, 20)}`
  }
  const { half, zones } = found
  if (!isDayOpen) return numbers.length === 0 ? { day: undefined, half, zones } : 'it has a number too many'
  const [month] = months
  if (month === undefined || months.length > 1) return 'its month is not known for certain'
  return { day: namedDay(numbers, month, place), half, zones }
}

/** Returns the day by the numbers beside the name of its month, of which `place` stand before it. */
function namedDay(numbers: readonly string[], month: number, place: number): Day | undefined {
  const [one = '', two = ''] = numbers
  if (numbers.length !== 2) return undefined
  const isYearFirst = one.length === 4 && two.length <= 2
  const isYearLast = one.length <= 2 && two.length >= 2 && two.length <= 4
  if (isYearFirst) return { year: Number(one), month, day: Number(two) }
  return isYearLast && place <= 1 ? { year: fullYear(two), month, day: Number(one) } : undefined
}

/** Returns the one zone that is said. Undefined without one, and if two contradict each other. */
function zoneFrom(
  offset: number | null | undefined,
  zones: readonly Zone[],
  place: string | undefined,
): Zone | undefined {
  if (offset === null) return undefined
  const [named] = zones
  if (zones.length > 1 && zones.some((zone) => zone !== named)) return undefined
  if (offset !== undefined) return named === undefined || named === offset ? offset : undefined
  return named ?? (place === undefined ? undefined : { place })
}

/** Returns the time that the clock shows, as if it were UTC. Undefined if there is no such day or time. */
function localMs(
  { year, month, day }: Day,
  { hour, minute, second, milli, isHour }: Time,
  half: 'am' | 'pm' | undefined,
): number | undefined {
  if (half !== undefined && (hour === 0 || hour > 12) && !(half === 'pm' && hour > 12)) return undefined
  if (half === undefined && isHour) return undefined
  const full = half === undefined || hour > 12 ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  const isMidnight = full === 24 && minute === 0 && second === 0
  if ((full > 23 && !isMidnight) || minute > 59 || second > 60) return undefined
  const at = new Date(Date.UTC(year, month - 1, day))
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return undefined
  return at.getTime() + ((full * 60 + minute) * 60 + second) * 1_000 + milli
}
