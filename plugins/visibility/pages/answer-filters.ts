import { type IgnoredValue, isDay, oneLine, shiftDay } from 'renown'
import { isCountry } from '../records/countries'

/** The filters in the address of the list of answers. Empty: not set. */
export interface AnswerFilters {
  readonly tracker: string
  readonly prompt: string
  readonly engine: string
  readonly country: string
  readonly named: '' | 'yes' | 'no'
  readonly from: string
  readonly to: string
  /** Only answers before this instant: the next page. */
  readonly until: string
}

const textMax = 100
/** Days that are shown if the address names none. */
const daysByDefault = 30
const isId = (text: string) => /^\w{1,100}$/.test(text)
const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))

const forms: Readonly<Record<string, readonly [accepts: (text: string) => boolean, accepted: string]>> = {
  tracker: [isId, 'Use the id of a tracker.'],
  prompt: [isId, 'Use the id of a prompt.'],
  engine: [isId, 'Use the name of an assistant, such as chatgpt.'],
  country: [isCountry, 'Use a country code, such as GB.'],
  named: [(text) => text === 'yes' || text === 'no', 'Use yes or no.'],
  from: [isDay, 'Use a day such as 2026-03-14.'],
  to: [isDay, 'Use a day such as 2026-03-14.'],
  until: [isInstant, 'Use the link below the list.'],
}
/** Parameters of every page. */
const common = new Set(['done'])

/** Reads the address. Values that cannot be used are left out and named. */
export function readAnswerFilters(
  query: URLSearchParams,
  today: string,
): { readonly filters: AnswerFilters; readonly ignored: readonly IgnoredValue[] } {
  const ignored: IgnoredValue[] = []
  const read = (name: string, form = forms[name]) => {
    const value = (query.get(name) ?? '').trim()
    const [accepts = () => true, accepted = ''] = form ?? []
    if (value === '' || accepts(value)) return value
    ignored.push({ name, value: oneLine(value, textMax), accepted })
    return ''
  }
  const to =
    read('to', [(day) => isDay(day) && day <= today, `Use a day until ${today}, written as ${today}.`]) ||
    today
  const from =
    read('from', [(day) => isDay(day) && day <= to, `Use a day until ${to}, written as ${to}.`]) ||
    shiftDay(to, 1 - daysByDefault)
  const filters = {
    tracker: read('tracker'),
    prompt: read('prompt'),
    engine: read('engine'),
    country: read('country'),
    named: read('named') as AnswerFilters['named'],
    until: read('until'),
    from,
    to,
  }
  for (const name of new Set(query.keys()))
    if (!Object.hasOwn(forms, name) && !common.has(name)) {
      const accepted = `This page has no such filter. Use ${Object.keys(forms).join(', ')}.`
      ignored.push({ name: oneLine(name, textMax), value: oneLine(query.get(name) ?? '', textMax), accepted })
    }
  return { filters, ignored }
}

/** The query of the answers, with some values changed. A changed filter begins at the first page. */
export function answersSearch(filters: AnswerFilters, changes: Partial<AnswerFilters> = {}): string {
  const all = { ...filters, until: '', ...changes }
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== '')).toString()
}
