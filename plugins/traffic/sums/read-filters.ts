import { daysBetween, type IgnoredValue, isDay, oneLine, type Period, shiftDay } from 'renown'
import { escapedPath, trafficCategories } from 'renown/traffic'
import { type AddressReader, addressReader } from './address-reader'
import { daysByDefault, listNames, spans, type TrafficFilters } from './traffic-filters'

const textMax = 200
/** Paths are stored in at most 512 bytes of ASCII. */
const pathMax = 512
/** No AI crawler was counted before this day. */
const firstDay = '2000-01-01'
/** Maximum days of a chosen period, as in operations. */
const daysMax = 366
/** The highest accepted part number, which no list reaches. */
const partMax = 9_999

/** The possible filter values in the workspace. */
export interface Choices {
  readonly siteIds: readonly string[]
  /** Returns the latest current day of the selected sites. */
  today(site: string | null): string
}

/** The filters of an address, and its ignored values. */
export interface ReadFilters {
  readonly asked: TrafficFilters
  readonly ignored: readonly IgnoredValue[]
}

/** Reads the filters in the page's address. Lists each invalid value with the accepted ones. */
export function readFilters(query: URLSearchParams, { siteIds, today }: Choices): ReadFilters {
  const { read, rest, ignored } = addressReader(query)
  const site = read('site', oneOf(siteIds), 'Use the id of a site of this workspace.')
  const last = today(site)
  const span = readSpan(read, last)
  const compare = read('compare', oneOf(['yes', 'no']), 'Use yes or no.')
  const page = read('page', pathOf, `Use a path such as /prices, with at most ${pathMax} characters.`)
  const category = read('category', oneOf(trafficCategories), `Use ${listed(trafficCategories)}.`)
  // Daily rows do not count pages by operator or crawler.
  const name = page === null ? nameOf : (): string | null => null
  const named =
    page === null
      ? `Use a name with at most ${textMax} visible characters.`
      : 'Pages are not counted by operator or crawler. Remove the page filter to use it.'
  const operator = read('operator', name, named)
  const agent = read('agent', name, named)
  const list = read('list', oneOf(listNames), `Use ${listed(listNames)}.`)
  const part = (text: string) =>
    /^[1-9]\d{0,3}$/.test(text) && Number(text) <= partMax ? Number(text) : null
  const ofList = <T>(parse: (text: string) => T | null) => (list === null ? (): T | null => null : parse)
  const find = read(
    'find',
    ofList((text) => nameOf(text.trim())),
    list === null ? ofNoList : `Use at most ${textMax} visible characters.`,
  )
  const at = read('at', ofList(part), list === null ? ofNoList : `Use a number from 1 to ${partMax}.`)
  const rows = read('rows', ofList(oneOf(['all'])), list === null ? ofNoList : 'Use all, or leave it out.')
  rest()
  const filters = { page, category, operator, agent }
  return {
    asked: {
      site,
      ...span,
      compare: compare !== 'no',
      ...filters,
      list,
      find,
      at: at ?? 1,
      isWhole: rows !== null,
    },
    ignored,
  }
}

const ofNoList = 'It belongs to a list. Use it together with list.'

/** Reads the days from the address: a number of last days, or two dates. */
function readSpan(read: AddressReader['read'], last: string): Pick<TrafficFilters, 'days' | 'from' | 'to'> {
  const accepted = `Use a day from ${firstDay} to ${last}, written as ${last}.`
  const to = read('to', dayUntil(last), accepted)
  const end = to ?? last
  const first = shiftDay(end, 1 - daysMax)
  const from = read(
    'from',
    (text) => (dayUntil(end)(text) && text >= first ? text : null),
    `Use a day from ${first < firstDay ? firstDay : first} to ${end}, written as ${end}.`,
  )
  const spanDays = spans.map(({ days }) => String(days))
  const days = read(
    'days',
    from === null ? oneOf(spanDays) : () => null,
    from === null ? `Use ${listed(spanDays)}.` : 'Use either days, or from and to.',
  )
  const ended = { from, to: to === last ? null : to }
  if (from !== null) return { ...ended, days: daysBetween(from, end) + 1 }
  return { ...ended, days: days === null ? daysByDefault : Number(days) }
}

/** Returns the requested days, and the same number of days before them. */
export function periodsOf(
  { days, to }: Pick<TrafficFilters, 'days' | 'to'>,
  today: string,
): { period: Period; previous: Period } {
  const date_to = to ?? today
  const date_from = shiftDay(date_to, 1 - days)
  const previous = { date_from: shiftDay(date_from, -days), date_to: shiftDay(date_from, -1), days }
  return { period: { date_from, date_to, days }, previous }
}

/**
 * Returns the previous (-1) or next (1) period of the same length. It never ends after today. Null before the
 * first accepted day.
 */
export function shifted(asked: TrafficFilters, by: -1 | 1, today: string): Partial<TrafficFilters> | null {
  const wanted = shiftDay(asked.to ?? today, by * asked.days)
  if (wanted < firstDay) return null
  const to = wanted >= today ? null : wanted
  // A chosen period keeps its length, also if its end is moved back to today.
  return asked.from === null ? { to } : { from: shiftDay(to ?? today, 1 - asked.days), to }
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | null =>
    values.find((value) => value === text) ?? null

const dayUntil = (last: string) => (text: string) =>
  isDay(text) && text >= firstDay && text <= last ? text : null

const nameOf = (text: string) => (text.length <= textMax && oneLine(text, textMax) === text ? text : null)

/** Returns the path in its stored form, in ASCII. */
function pathOf(text: string): string | null {
  if (!text.startsWith('/') || text.length > pathMax) return null
  const path = escapedPath(text)
  return path.length > pathMax ? null : path
}

const listed = (values: readonly string[]) => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
