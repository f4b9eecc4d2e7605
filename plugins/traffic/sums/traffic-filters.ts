/** Periods with keyboard shortcuts. */
export const spans = [
  { key: 'd', days: 1, label: 'Today' },
  { key: 'w', days: 7, label: '7 days' },
  { key: 'm', days: 28, label: '28 days' },
  { key: 'q', days: 90, label: '90 days' },
  { key: 'y', days: 365, label: '12 months' },
] as const

/** The lists of the page. It shows the first rows of each, and a page of its own shows all. */
export const listNames = ['operators', 'pages', 'assistants', 'landing', 'crawlers'] as const
export type ListName = (typeof listNames)[number]

/** The filters of the page's address. Invalid values are left out, and listed as ignored. */
export interface TrafficFilters {
  readonly site: string | null
  readonly days: number
  /** The first day of a chosen period. Null for one of the spans. */
  readonly from: string | null
  /** The last day. Null for today. */
  readonly to: string | null
  readonly compare: boolean
  /** The path of a page on the site. */
  readonly page: string | null
  readonly category: string | null
  readonly operator: string | null
  readonly agent: string | null
  /** The list that is shown in full. Null shows the page. */
  readonly list: ListName | null
  /** The text that names of that list must contain. */
  readonly find: string | null
  /** The shown part of that list, from 1. */
  readonly at: number
  /** Whether to return all parts of that list, for a spreadsheet. */
  readonly isWhole: boolean
}

/** Returns the address of the page with changes. Default values are left out. */
export function searchOf(asked: TrafficFilters, changes: Partial<TrafficFilters> = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(valuesOf(asked, changes)))
    if (value !== null) query.set(name, value)
  return query.toString()
}

/** Returns the values of that address by name, for the hidden fields of a form. Null for a default value. */
export function valuesOf(
  asked: TrafficFilters,
  changes: Partial<TrafficFilters> = {},
): Readonly<Record<string, string | null>> {
  const { site, days, from, to, compare, page, category, operator, agent, list, find, at, isWhole } = {
    ...asked,
    // A changed filter goes back to the first part of the list.
    ...('at' in changes ? {} : { at: 1 }),
    isWhole: false,
    ...changes,
  }
  return {
    site,
    days: from !== null || days === daysByDefault ? null : String(days),
    from,
    to,
    compare: compare ? null : 'no',
    page,
    category,
    operator,
    agent,
    list,
    find: list === null ? null : find,
    at: list === null || at === 1 ? null : String(at),
    rows: list !== null && isWhole ? 'all' : null,
  }
}

/** The span of an address without a period. */
export const daysByDefault = 28

/** Returns the changes that show the last days up to today. */
export const lastDays = (days: number): Partial<TrafficFilters> => ({ days, from: null, to: null })

/** The filters that a row can set. */
export type FilterName = 'page' | 'category' | 'operator' | 'agent'

/**
 * Returns the address with a filter switched on or off, for every row. It leads to the page, also from a
 * list. Daily rows count pages only by purpose, so a filter by page replaces one by operator or crawler, and
 * the reverse.
 */
export function filterBy(asked: TrafficFilters, name: FilterName, value: string): string {
  const others = {
    page: { operator: null, agent: null },
    category: {},
    operator: { page: null, agent: null },
    agent: { page: null },
  }[name]
  const whole = { list: null, find: null }
  return searchOf(asked, { ...whole, ...others, [name]: asked[name] === value ? null : value })
}
