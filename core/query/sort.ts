import type { SortKey } from '../contracts/where'

/** Reads `-field`, `field` or `+field`. A plus in a query string arrives as a space. */
export function sortKey(text: string): SortKey {
  const sign = text.charAt(0)
  const field = sign === '-' || sign === '+' || sign === ' ' ? text.slice(1) : text
  return { field, direction: sign === '-' ? 'desc' : 'asc' }
}

/** Returns a sort as the text of its parameter. */
export const sortText = (sort: readonly SortKey[]): string =>
  sort.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)).join(',')
