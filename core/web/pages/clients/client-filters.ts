/** The filters in the address of the list. */
export interface ClientFilters {
  /** A part of the name. Empty for all. */
  readonly q: string
  /**
   * The sort column: the name of a column, `name`, `activity`, or `worst`, which sorts by all columns in
   * their order.
   */
  readonly sort: string
  /** Whether the best come first instead of the worst. */
  readonly isReversed: boolean
  readonly isArchived: boolean
  readonly page: number
}

export const clientsPath = '/app/clients'

/** Reads the address. If the column is unknown, returns it as `unknown` and sorts worst first. */
export function readClientFilters(
  query: URLSearchParams,
  columns: readonly string[],
): { readonly wanted: ClientFilters; readonly unknown: string | null } {
  const named = query.get('sort') ?? 'worst'
  const isKnown = ['worst', 'name', 'activity', ...columns].includes(named)
  return {
    wanted: {
      q: (query.get('q') ?? '').trim().slice(0, 200),
      sort: isKnown ? named : 'worst',
      isReversed: query.get('order') === 'best',
      isArchived: query.get('show') === 'archived',
      page: Math.min(10_000, Math.max(1, Math.trunc(Number(query.get('page'))) || 1)),
    },
    unknown: isKnown ? null : named.slice(0, 40),
  }
}

/**
 * Returns the address of the list with changes. Any change but the page number goes back to the first page.
 */
export function clientsAddress(wanted: ClientFilters, changes: Partial<ClientFilters> = {}): string {
  const { q, sort, isReversed, isArchived, page } = { ...wanted, page: 1, ...changes }
  const query = new URLSearchParams()
  if (q !== '') query.set('q', q)
  if (isArchived) query.set('show', 'archived')
  if (sort !== 'worst') query.set('sort', sort)
  if (isReversed) query.set('order', 'best')
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? clientsPath : `${clientsPath}?${query}`
}
