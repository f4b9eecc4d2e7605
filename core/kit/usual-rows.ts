import type { AnyEntity } from '../contracts/entity'
import type { Where } from '../contracts/where'

type Filter = Readonly<Record<string, unknown>>

/** Returns the conditions of `usual` whose fields neither the filter nor the groups name. */
export function usualRows(
  { usual = [], exceptSet = [] }: Pick<AnyEntity, 'usual' | 'exceptSet'>,
  q: Filter = {},
  groupedBy: readonly string[] = [],
): readonly Where[] {
  const named = new Set([...namedIn(q), ...groupedBy])
  // Lists leave these rows out anyway.
  return usual.filter((one) => 'field' in one && !named.has(one.field) && !exceptSet.includes(one.field))
}

/** Returns these conditions as a filter, as callers write it. */
export const asFilter = (conditions: readonly Where[]): Filter =>
  Object.fromEntries(
    conditions.flatMap((one): [string, unknown][] => {
      if (one.op !== 'eq' && one.op !== 'ne') return []
      return [[one.field, one.op === 'eq' ? one.value : { $ne: one.value }]]
    }),
  )

function namedIn(filter: Filter): string[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (!name.startsWith('$')) return [name.split('.')[0] ?? name]
    return Array.isArray(value) ? value.flatMap((one) => (isFilter(one) ? namedIn(one) : [])) : []
  })
}

const isFilter = (value: unknown): value is Filter => value !== null && typeof value === 'object'
