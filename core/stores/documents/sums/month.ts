import type { Scalar } from '../../../contracts/where'
import type { JointSum, Shape } from './shape'

/**
 * The sums of one workspace and calendar month, as they are stored. Keys and values are listed once, and a cell names them by
 * their place: `[key, rows, last instant, value, rows with it, value, rows with it, …]`.
 */
export interface Month {
  readonly keys: (readonly Scalar[])[]
  /** Places of fields and their values. The fields of `set` come after those of `values`, and have the value true. */
  readonly values: (readonly [field: number, value: Scalar])[]
  /** Cells by day of the month, such as `05`. */
  readonly days: Record<string, readonly (readonly number[])[]>
}

/** Returns a month without rows. */
export const emptyMonth = (): Month => ({ keys: [], values: [], days: {} })

/** Returns a month with new sums of some of its days. */
export function withDays(
  month: Month,
  shape: Pick<Shape, 'values'>,
  days: ReadonlyMap<string, readonly JointSum[]>,
): Month {
  const keys = createPlaces(month.keys)
  const values = createPlaces(month.values)
  const changed = { ...month.days }
  for (const [day, sums] of days) {
    const cells = new Map<number, { n: number; last: number; counts: Map<number, number> }>()
    for (const sum of sums) {
      const key = keys.placeOf(sum.keys)
      const cell = cells.get(key) ?? { n: 0, last: 0, counts: new Map<number, number>() }
      cells.set(key, cell)
      cell.n += sum.n
      cell.last = Math.max(cell.last, Date.parse(sum.last))
      const add = (field: number, value: Scalar, n: number) => {
        if (n === 0) return
        const place = values.placeOf([field, value])
        cell.counts.set(place, (cell.counts.get(place) ?? 0) + n)
      }
      for (const [field, value] of sum.values.entries()) add(field, value, sum.n)
      for (const [field, n] of sum.set.entries()) add(shape.values.length + field, true, n)
    }
    const dayOfMonth = day.slice(8)
    if (cells.size === 0) delete changed[dayOfMonth]
    else
      changed[dayOfMonth] = [...cells].map(([key, { n, last, counts }]) => [
        key,
        n,
        last,
        ...[...counts].flat(),
      ])
  }
  return { keys: keys.all, values: values.all, days: changed }
}

/** Gives each entry of a list a place. */
function createPlaces<T extends readonly unknown[]>(given: readonly T[]) {
  const all = [...given]
  const places = new Map(all.map((entry, place) => [JSON.stringify(entry), place]))
  return {
    all,
    placeOf: (entry: T): number => {
      const name = JSON.stringify(entry)
      const known = places.get(name)
      if (known !== undefined) return known
      places.set(name, all.length)
      return all.push(entry) - 1
    },
  }
}
