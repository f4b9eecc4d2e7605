import type { GroupedValue } from '../contexts/summed-groups'

/** What is computed of the values of a number in a group. */
export const functions = ['sum', 'avg', 'min', 'max', 'median', 'p90'] as const
/** The name of such a function. */
export type AggregateFunction = (typeof functions)[number]

/** The keys of a group, how many rows it has, and the values of a number with how often each occurs. */
export interface Group {
  readonly keys: readonly (string | number | boolean | null)[]
  count: number
  readonly values: Map<number, number>
}

/** Joins counted values to groups, in the order in which they come. */
export function groupsOf(rows: readonly GroupedValue[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const { keys, value, count } of rows) {
    const key = JSON.stringify(keys)
    const group = groups.get(key) ?? { keys, count: 0, values: new Map() }
    groups.set(key, group)
    group.count += count
    if (value !== null) group.values.set(value, (group.values.get(value) ?? 0) + count)
  }
  return groups
}

/** Returns how many rows of a group have a value. */
export const sizeOf = ({ values }: Group): number => values.values().reduce((sum, count) => sum + count, 0)

/** Computes a function of the values of a group. Null if no row has a value. */
export function computed(name: AggregateFunction, group: Group): number | null {
  const size = sizeOf(group)
  if (size === 0) return null
  const sorted = [...group.values].sort(([a], [b]) => a - b)
  if (name === 'min') return sorted[0]?.[0] ?? null
  if (name === 'max') return sorted.at(-1)?.[0] ?? null
  if (name === 'median') return percentile(sorted, size, 0.5)
  if (name === 'p90') return percentile(sorted, size, 0.9)
  const sum = sorted.reduce((total, [value, count]) => total + value * count, 0)
  return rounded(name === 'sum' ? sum : sum / size)
}

/** Between two values, as most programs compute it: at `(n - 1) × share`. */
function percentile(sorted: readonly (readonly [number, number])[], size: number, share: number): number {
  const place = (size - 1) * share
  const low = valueAt(sorted, Math.floor(place))
  const high = valueAt(sorted, Math.ceil(place))
  return rounded(low + (high - low) * (place - Math.floor(place)))
}

function valueAt(sorted: readonly (readonly [number, number])[], place: number): number {
  let passed = 0
  for (const [value, count] of sorted) {
    passed += count
    if (place < passed) return value
  }
  return sorted.at(-1)?.[0] ?? 0
}

/** Cuts what floating point adds after the ninth digit. */
const rounded = (value: number): number => Number(value.toPrecision(12))
