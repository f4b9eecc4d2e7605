/** Periods with keyboard shortcuts. */
export const spans = [
  { key: 'w', days: 7, label: '7 days' },
  { key: 'm', days: 28, label: '28 days' },
  { key: 'q', days: 90, label: '90 days' },
  { key: 'y', days: 365, label: '12 months' },
] as const

/** The filters of the page's address. Invalid values are left out, and listed as ignored. */
export interface Asked {
  readonly site: string | null
  readonly days: number
  /** The last day; null follows today. */
  readonly to: string | null
  readonly compare: boolean
  /** The path of a page. */
  readonly page: string | null
  readonly category: string | null
  readonly operator: string | null
  readonly agent: string | null
}

/** An ignored value of the address. */
export interface IgnoredFilter {
  readonly name: string
  /** Cut, and without characters that cannot be seen. */
  readonly value: string
  /** A sentence that says what is accepted instead. */
  readonly accepted: string
}

/** Returns the address of the page with changes. Default values are left out. */
export function searchOf(asked: Asked, changes: Partial<Asked> = {}): string {
  const { site, days, to, compare, page, category, operator, agent } = { ...asked, ...changes }
  const parts = { site, days: days === 28 ? null : String(days), to, compare: compare ? null : 'no' }
  const filters = { page, category, operator, agent }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...parts, ...filters }))
    if (value !== null) query.set(name, value)
  return query.toString()
}

/** The filters that a row can set. */
export type FilterName = 'page' | 'category' | 'operator' | 'agent'

/**
 * Returns the address that toggles a filter. Every row uses it. Daily rows count pages only by purpose, so a page
 * filter replaces an operator or crawler filter, and the reverse.
 */
export function filterBy(asked: Asked, name: FilterName, value: string): string {
  const others = {
    page: { operator: null, agent: null },
    category: {},
    operator: { page: null, agent: null },
    agent: { page: null },
  }[name]
  return searchOf(asked, { ...others, [name]: asked[name] === value ? null : value })
}
