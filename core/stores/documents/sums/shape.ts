import type { GroupQuery, GroupRow } from '../../../contracts/context'
import type { DaySumsDeclaration, DaySumsQuery, LocalDays } from '../../../contracts/day-sums'
import type { AnyEntity } from '../../../contracts/entity'
import { type Scalar, type Where, where } from '../../../contracts/where'
import { oncePer } from '../../../kit/once-per'
import { instantsOf } from '../../../kit/periods'

/** The sums of an entity: its declaration, and the rows that count. */
export interface Shape extends DaySumsDeclaration {
  /** Matches the rows that count. */
  readonly counted: Where
  readonly exceptSet: readonly string[]
}

/** Returns the shape of an entity's sums. Null if it declares none. */
export const shapeOf: (entity: AnyEntity) => Shape | null = oncePer((entity: AnyEntity) => {
  const { daySums, exceptSet = [] } = entity
  if (!daySums) return null
  return { ...daySums, exceptSet, counted: where.and(...exceptSet.map((field) => where.eq(field, null))) }
})

const countName = 'sum of rows'
const lastName = 'last instant'
const setName = (place: number) => `sum of set ${place}`

/** Rows of one workspace and day with the same values. */
export interface JointSum {
  readonly workspace: string
  /** Empty unless each day is asked for. */
  readonly day: string
  readonly keys: readonly Scalar[]
  readonly n: number
  readonly last: string
  /** One value for each field of `values`. */
  readonly values: readonly Scalar[]
  /** How many of the rows have a value, for each field of `set`. */
  readonly set: readonly number[]
}

/** Returns the query that reads the sums of rows in local days. */
export function jointQuery(
  { on, by, values, set, counted }: Shape,
  { date_from, date_to, timezone }: LocalDays,
  condition: Where,
  keys: readonly string[] = ['workspace_id', ...by],
  byDay = true,
): GroupQuery {
  const { from, before } = instantsOf({ date_from, date_to }, timezone)
  return {
    where: where.and(condition, counted, where.gte(on, from), where.lt(on, before)),
    by: [...(byDay ? [{ field: on, unit: 'day' as const, timezone }] : []), ...keys, ...values],
    measures: [
      { as: countName, fn: 'count' },
      { as: lastName, fn: 'max', field: on },
      ...set.map((field, place) => ({ as: setName(place), fn: 'count' as const, field })),
    ],
  }
}

/** Reads the groups of `jointQuery`. */
export const jointSums = (
  { on, by, values, set }: Shape,
  rows: readonly GroupRow[],
  keys: readonly string[] = by,
  byDay = true,
): JointSum[] =>
  rows.map((row) => ({
    workspace: String(row.workspace_id ?? ''),
    day: byDay ? String(row[on]) : '',
    keys: keys.map((field) => row[field] ?? null),
    n: Number(row[countName]),
    last: String(row[lastName]),
    values: values.map((field) => row[field] ?? null),
    set: set.map((_, place) => Number(row[setName(place)])),
  }))

/** A question that kept sums answer. */
export interface SumsRequest extends Required<DaySumsQuery> {
  readonly workspaces: readonly string[]
  /** The values that fields of `by` may have. Other fields may have any. */
  readonly only: ReadonlyMap<string, ReadonlySet<Scalar>>
}

/** Returns what a query asks of kept sums. Null if its filter needs the rows. */
export function requestOf(
  shape: Shape,
  { where: tree, within, by, byDay = false }: DaySumsQuery,
): SumsRequest | null {
  const only = new Map<string, ReadonlySet<Scalar>>()
  const known = new Set(['workspace_id', ...shape.by])
  if (!by.every((field) => known.has(field))) return null
  for (const leaf of leavesOf(tree)) {
    if (leaf === null) return null
    if (leaf.op === 'eq' && leaf.value === null && shape.exceptSet.includes(leaf.field)) continue
    const list = leaf.op === 'eq' ? [leaf.value] : leaf.op === 'in' ? leaf.values : null
    if (list === null || !known.has(leaf.field)) return null
    const values = new Set<Scalar>(list)
    const before = only.get(leaf.field)
    only.set(leaf.field, before ? values.intersection(before) : values)
  }
  const workspaces = only.get('workspace_id')
  if (!workspaces) return null
  only.delete('workspace_id')
  return { where: tree ?? where.and(), within, by, byDay, only, workspaces: [...workspaces].map(String) }
}

type Leaf = Extract<Where, { readonly field: string }>

/** Returns the conditions that a tree joins by and. Null for every other part. */
function leavesOf(tree: Where | undefined): (Leaf | null)[] {
  if (tree === undefined) return []
  if ('field' in tree) return [tree]
  return tree.op === 'and' ? tree.of.flatMap(leavesOf) : [null]
}
