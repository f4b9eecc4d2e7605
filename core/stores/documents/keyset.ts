import type { Scalar, SortKey, Where } from '../../contracts/where'
import type { FindQuery } from './port'

/** Returns the filter of a find with its keyset condition. `sort` is its total order. */
export const boundedWhere = ({ where, after }: FindQuery, sort: readonly SortKey[]): Where =>
  after ? { op: 'and', of: [where, afterWhere(sort, after)] } : where

/**
 * Returns the condition for rows after a row in a sort. `sort` ends in `id`. Null comes last in descending order, and first in
 * ascending order unless the key says otherwise.
 */
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

const none: Where = { op: 'or', of: [] }
const endsWithNull = ({ field, direction, nulls }: SortKey) =>
  field !== 'id' && (direction === 'desc' || nulls === 'last')

function beyond(mark: Mark): Where {
  const { field, direction, value } = mark
  if (value === null) return endsWithNull(mark) ? none : { op: 'ne', field, value }
  return orNull(mark, { op: direction === 'asc' ? 'gt' : 'lt', field, value })
}

const notBefore = (mark: Mark): Where =>
  orNull(mark, { op: mark.direction === 'asc' ? 'gte' : 'lte', field: mark.field, value: mark.value })

const orNull = (mark: Mark, compared: Where): Where =>
  endsWithNull(mark) ? { op: 'or', of: [compared, { op: 'eq', field: mark.field, value: null }] } : compared
