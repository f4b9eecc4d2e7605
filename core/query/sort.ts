import type { SortKey } from '../contracts/where'

/** Reads `-field`, `field` or `+field`; a plus that came through a query string is a space. */
export function sortKey(text: string): SortKey {
  const sign = text.charAt(0)
  const field = sign === '-' || sign === '+' || sign === ' ' ? text.slice(1) : text
  return { field, direction: sign === '-' ? 'desc' : 'asc' }
}

/** A sort as its parameter is written. */
export const sortText = (sort: readonly SortKey[]): string =>
  sort.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)).join(',')
