import { daysBetween, type IgnoredValue, isDay, oneLine, type Period, periodOf, shiftDay } from 'renown'

/** The filters in the address of the page. Empty: not set. */
export interface VisibilityFilters {
  readonly tracker: string
  readonly location: string
  readonly engine: string
  readonly country: string
  /** Days up to today. Used unless `from` is set. */
  readonly days: number
  /** First and last day of an own period. */
  readonly from: string
  readonly to: string
  /** Shows all prompts, not only the first. */
  readonly isWhole: boolean
}

/** The periods that can be chosen with one click. */
export const spans = [7, 28, 90, 365] as const
const spanByDefault = 28
const shownMax = 60
const daysMax = 366

/** The values that the address may have in this workspace. */
export interface Choices {
  readonly trackers: readonly { readonly id: string; readonly location_id: string }[]
  readonly engines: readonly string[]
  readonly countries: readonly string[]
  readonly today: string
}

const own = new Set(['tracker', 'location', 'engine', 'country', 'days', 'from', 'to', 'prompts'])
/** Parameters of every page. */
const common = new Set(['done'])

/** Reads the address. Values that cannot be used are left out and named. */
export function readFilters(
  query: URLSearchParams,
  { trackers, engines, countries, today }: Choices,
): { readonly filters: VisibilityFilters; readonly ignored: readonly IgnoredValue[] } {
  const ignored: IgnoredValue[] = []
  const ignore = (name: string, value: string, accepted: string) =>
    ignored.push({ name: oneLine(name, shownMax), value: oneLine(value, shownMax), accepted })
  const read = (name: string, isValid: (value: string) => boolean, accepted: string) => {
    const value = (query.get(name) ?? '').trim()
    if (value === '' || isValid(value)) return value
    ignore(name, value, accepted)
    return ''
  }
  const tracker = read(
    'tracker',
    (id) => trackers.some((one) => one.id === id),
    'Use the id of a tracker of this workspace.',
  )
  const location = read(
    'location',
    (id) => trackers.some((one) => one.location_id === id),
    'Use the id of a location that has a tracker.',
  )
  const engine = read('engine', (name) => engines.includes(name), `Use ${listed(engines)}.`)
  const country = read('country', (code) => countries.includes(code), `Use ${listed(countries)}.`)
  const isPast = (day: string) => isDay(day) && day <= today
  const to = read('to', isPast, `Use a day until ${today}, written as ${today}.`)
  const first = shiftDay(to || today, 1 - daysMax)
  const from = read(
    'from',
    (day) => isDay(day) && day >= first && day <= (to || today),
    `Use a day from ${first} to ${to || today}, written as ${today}.`,
  )
  const days = read(
    'days',
    (text) => from === '' && spans.some((span) => String(span) === text),
    `Use ${listed(spans.map(String))}, or from and to.`,
  )
  if (to !== '' && from === '' && !ignored.some(({ name }) => name === 'from'))
    ignore('to', to, 'Use it together with from.')
  const prompts = read('prompts', (word) => word === 'all', 'Use all, or leave it out.')
  for (const name of new Set(query.keys()))
    if (!own.has(name) && !common.has(name))
      ignore(name, query.get(name) ?? '', `This page has no such filter. Use ${[...own].join(', ')}.`)
  const period =
    from === ''
      ? { days: Number(days || spanByDefault), from, to: '' }
      : { days: daysBetween(from, to || today) + 1, from, to: to || today }
  return { filters: { tracker, location, engine, country, ...period, isWhole: prompts === 'all' }, ignored }
}

/** Returns the period that an address asks for, and the one before it. */
export const periodsOf = (
  { days, from, to }: VisibilityFilters,
  today: string,
): { period: Period; previous: Period } =>
  periodOf(from === '' ? { days } : { date_from: from, date_to: to }, { today, days: spanByDefault })

/** The values of the address, with some of them changed. Default values are left out. */
export function valuesOf(
  filters: VisibilityFilters,
  changes: Partial<VisibilityFilters> = {},
): Record<string, string> {
  const { days, from, to, isWhole, ...others } = { ...filters, ...changes }
  const all = {
    ...others,
    days: from !== '' || days === spanByDefault ? '' : String(days),
    from,
    to,
    prompts: isWhole ? 'all' : '',
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** The query of the page, with some values changed. */
export const searchOf = (filters: VisibilityFilters, changes: Partial<VisibilityFilters> = {}): string =>
  new URLSearchParams(valuesOf(filters, changes)).toString()

const listed = (values: readonly string[]) =>
  values.length < 2
    ? (values[0] ?? 'no value: there is none yet')
    : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
