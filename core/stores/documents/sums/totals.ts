import type { DaySum } from '../../../contracts/day-sums'
import type { Scalar } from '../../../contracts/where'
import type { Month } from './month'
import type { JointSum, Shape, SumsRequest } from './shape'

interface Total {
  readonly keys: readonly Scalar[]
  readonly day: string
  n: number
  last: number
  /** How many rows have each value, by its place in the list of all values. */
  readonly counts: number[]
}

/** Adds up sums to the groups of a question. */
export interface Totals {
  /** Adds the days of a stored month that `isAsked` names. */
  addMonth(workspace: string, month: string, sums: Month, isAsked: (day: string) => boolean): void
  /** Adds sums that were just read. */
  addJoint(sums: readonly JointSum[]): void
  result(): DaySum[]
}

/** Creates empty totals. */
export function createTotals(shape: Shape, { by, byDay, only }: Omit<SumsRequest, 'where'>): Totals {
  const groups = new Map<string, Total>()
  const places = new Map<string, number>()
  const named: (readonly [field: number, value: Scalar])[] = []
  const placeOf = (entry: readonly [field: number, value: Scalar]) => {
    const name = JSON.stringify(entry)
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, named.length)
    return named.push(entry) - 1
  }
  const groupOf = (day: string, keys: readonly Scalar[], name: string) => {
    const full = day === '' ? name : `${day} ${name}`
    const known = groups.get(full)
    if (known) return known
    const made: Total = { keys, day, n: 0, last: 0, counts: [] }
    groups.set(full, made)
    return made
  }
  const keysOf = (workspace: string, keys: readonly Scalar[]) =>
    by.map((field) => (field === 'workspace_id' ? workspace : (keys[shape.by.indexOf(field)] ?? null)))
  const isIn = (keys: readonly Scalar[]) =>
    [...only].every(([field, values]) => values.has(keys[shape.by.indexOf(field)] ?? null))

  return {
    addMonth(workspace, month, { keys, values, days }, isAsked) {
      const targets = keys.map((key) => {
        if (!isIn(key)) return null
        const own = keysOf(workspace, key)
        return { own, name: JSON.stringify(own) }
      })
      const global = values.map(placeOf)
      for (const [dayOfMonth, cells] of Object.entries(days)) {
        const day = `${month}-${dayOfMonth}`
        if (!isAsked(day)) continue
        for (const cell of cells) {
          const target = targets[cell[0] ?? 0]
          if (!target) continue
          const total = groupOf(byDay ? day : '', target.own, target.name)
          total.n += cell[1] ?? 0
          total.last = Math.max(total.last, cell[2] ?? 0)
          for (let at = 3; at < cell.length; at += 2) {
            const place = global[cell[at] ?? 0] ?? 0
            total.counts[place] = (total.counts[place] ?? 0) + (cell[at + 1] ?? 0)
          }
        }
      }
    },
    addJoint(sums) {
      for (const { workspace, day, keys, n, last, values, set } of sums) {
        if (!isIn(keys)) continue
        const own = keysOf(workspace, keys)
        const total = groupOf(byDay ? day : '', own, JSON.stringify(own))
        total.n += n
        total.last = Math.max(total.last, Date.parse(last))
        const add = (place: number, more: number) => {
          if (more > 0) total.counts[place] = (total.counts[place] ?? 0) + more
        }
        for (const [field, value] of values.entries()) add(placeOf([field, value]), n)
        for (const [field, more] of set.entries()) add(placeOf([shape.values.length + field, true]), more)
      }
    },
    result: () =>
      [...groups]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, total]) => printed(shape, by, byDay, named, total)),
  }
}

function printed(
  shape: Shape,
  by: readonly string[],
  byDay: boolean,
  named: readonly (readonly [field: number, value: Scalar])[],
  { keys, day, n, last, counts }: Total,
): DaySum {
  const values: Record<string, { value: Scalar; n: number }[]> = {}
  for (const field of shape.values) values[field] = []
  const set: Record<string, number> = {}
  for (const field of shape.set) set[field] = 0
  for (const [place, rows] of counts.entries()) {
    const [field, value] = named[place] ?? [0, null]
    if (rows === undefined) continue
    const name = shape.values[field]
    if (name !== undefined) values[name]?.push({ value, n: rows })
    else set[shape.set[field - shape.values.length] ?? ''] = rows
  }
  return {
    keys: Object.fromEntries(by.map((field, place) => [field, keys[place] ?? null])),
    ...(byDay ? { day } : {}),
    n,
    last: new Date(last).toISOString(),
    values,
    set,
  }
}
