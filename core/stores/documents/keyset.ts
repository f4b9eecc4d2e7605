import type { Scalar, SortKey, Where } from '../../contracts/where'
import type { FindQuery } from './port'

/** Returns the filter of a find with its keyset condition. `sort` is its total order. */
export const boundedWhere = ({ where, after }: FindQuery, sort: readonly SortKey[]): Where =>
  after ? { op: 'and', of: [where, afterWhere(sort, after)] } : where

/** Returns the condition for rows after a row in a sort. `sort` ends in `id`. Ascending, null comes first. */
export function afterWhere(
  sort: readonly SortKey[],
  after: { readonly values: readonly Scalar[]; readonly id: string },
): Where {
  const marks = sort.map((key, place) => ({
    ...key,
    value: key.field === 'id' ? after.id : (after.values[place] ?? null),
  }))
  const [first] = marks
  const of = marks.map((mark, place): Where => {
    const ties = marks.slice(0, place).map(({ field, value }): Where => ({ op: 'eq', field, value }))
    return { op: 'and', of: [...ties, beyond(mark)] }
  })
  const either: Where = { op: 'or', of }
  // The branches imply this condition. It lets an index start at the right position.
  return first && first.value !== null && first.field !== 'id'
    ? { op: 'and', of: [notBefore(first), either] }
    : either
}

interface Mark extends SortKey {
  readonly value: Scalar
}

function beyond({ field, direction, value }: Mark): Where {
  if (direction === 'asc') return value === null ? { op: 'ne', field, value } : { op: 'gt', field, value }
  if (value === null) return { op: 'or', of: [] }
  const less: Where = { op: 'lt', field, value }
  return field === 'id' ? less : { op: 'or', of: [less, { op: 'eq', field, value: null }] }
}

function notBefore({ field, direction, value }: Mark): Where {
  if (direction === 'asc') return { op: 'gte', field, value }
  return {
    op: 'or',
    of: [
      { op: 'lte', field, value },
      { op: 'eq', field, value: null },
    ],
  }
}
