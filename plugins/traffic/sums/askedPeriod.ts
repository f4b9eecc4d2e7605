import { oneLine, type Period, shiftDay, trafficCategories } from 'renown'
import { addressReader } from './address-reader'
import { type Asked, type IgnoredFilter, spans } from './asked'

const textMax = 200
/** Paths are stored in at most 512 bytes of ASCII. */
const pathMax = 512
/** No crawler of AI was counted before. */
const firstDay = '2000-01-01'
const daysByDefault = 28

/** The possible filter values in the workspace. */
export interface Choices {
  readonly siteIds: readonly string[]
  /** Today where it is latest among the sites that are shown. */
  today(site: string | null): string
}

/** The filters of an address, and its ignored values. */
export interface ReadFilters {
  readonly asked: Asked
  readonly ignored: readonly IgnoredFilter[]
}

/** Reads the filters of the page's address. Lists each invalid value with the accepted ones. */
export function readFilters(query: URLSearchParams, { siteIds, today }: Choices): ReadFilters {
  const { read, rest, ignored } = addressReader(query)
  const site = read('site', oneOf(siteIds), 'Use the id of a site of this workspace.')
  const spanDays = spans.map(({ days }) => String(days))
  const days = read('days', oneOf(spanDays), `Use ${listed(spanDays)}.`)
  const last = today(site)
  const to = read('to', dayUntil(last), `Use a day from ${firstDay} to ${last}, written as ${last}.`)
  const compare = read('compare', oneOf(['yes', 'no']), 'Use yes or no.')
  const page = read('page', pathOf, `Use a path such as /prices, with at most ${pathMax} characters.`)
  const category = read('category', oneOf(trafficCategories), `Use ${listed(trafficCategories)}.`)
  // No daily row keeps pages by operator or crawler.
  const name = page === null ? nameOf : (): string | null => null
  const named =
    page === null
      ? `Use a name with at most ${textMax} visible characters.`
      : 'Pages are not counted by operator or crawler. Remove the page filter to use it.'
  const operator = read('operator', name, named)
  const agent = read('agent', name, named)
  rest()
  const asked = {
    ...{ site, days: days === null ? daysByDefault : Number(days), to: to === last ? null : to },
    ...{ compare: compare !== 'no', page, category, operator, agent },
  }
  return { asked, ignored }
}

/** Returns the requested days, and as many before them. */
export function periodsOf(
  { days, to }: Pick<Asked, 'days' | 'to'>,
  today: string,
): { period: Period; previous: Period } {
  const date_to = to ?? today
  const date_from = shiftDay(date_to, 1 - days)
  const previous = { date_from: shiftDay(date_from, -days), date_to: shiftDay(date_from, -1), days }
  return { period: { date_from, date_to, days }, previous }
}

/** Returns the same span, earlier (-1) or later (1). Never after today; null before the first accepted day. */
export function shifted(asked: Asked, by: -1 | 1, today: string): Partial<Asked> | null {
  const to = shiftDay(asked.to ?? today, by * asked.days)
  if (to < firstDay) return null
  return { to: to >= today ? null : to }
}

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T | null =>
    values.find((value) => value === text) ?? null

const dayUntil = (last: string) => (text: string) =>
  isDay(text) && text >= firstDay && text <= last ? text : null

const nameOf = (text: string) => (text.length <= textMax && oneLine(text, textMax) === text ? text : null)

/** The path as it is stored: in ASCII. */
function pathOf(text: string): string | null {
  if (!text.startsWith('/') || text.length > pathMax) return null
  const path = text.replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
  return path.length > pathMax ? null : path
}

const listed = (values: readonly string[]) => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text)
  )
}
