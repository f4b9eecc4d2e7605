import type { AnyEntity } from '../contracts/entity'
import { type Where, where } from '../contracts/where'
import { mondayOf } from '../kit/periods'
import { shapeOf } from '../stores/documents/sums/shape'
import type { Reader } from './sources'

/** A field to group by. Days and instants may be cut to the first day of a period. */
export interface GroupKey {
  readonly field: string
  readonly unit?: 'day' | 'week' | 'month'
}

/** Which rows of a list are grouped, and how. */
export interface GroupedRequest {
  readonly entity: string
  readonly q?: Readonly<Record<string, unknown>> | undefined
  readonly by: readonly GroupKey[]
  /** Further conditions of the rows. */
  readonly usual?: readonly Where[]
  /** A number whose values are counted in each group. */
  readonly value?: string | undefined
  /** Only rows whose day or instant in this field is in the period, in the time zone of the workspace. */
  readonly within?:
    | { readonly field: string; readonly date_from: string; readonly date_to: string }
    | undefined
}

/** Rows with the same values of the keys, and of the number. */
export interface GroupedValue {
  readonly keys: readonly (string | number | boolean | null)[]
  readonly value: number | null
  readonly count: number
}

/** Such rows, and the workspace that they are in. */
export interface OwnedValue extends GroupedValue {
  readonly workspace: string
}

/** Cuts a day to its period. A period that a store has cut stays the same. */
export function cut(
  value: string | number | boolean | null,
  unit: GroupKey['unit'],
): string | number | boolean | null {
  if (typeof value !== 'string' || unit === undefined || unit === 'day') return value
  if (unit === 'month') return `${value.slice(0, 7)}-01`
  return mondayOf(value)
}

interface Grouping {
  readonly request: GroupedRequest
  readonly workspaces: readonly string[]
  readonly timezone: string
}

/**
 * Answers from the sums by day of a record type. Null if it keeps none, or if a filter, a key or the number needs the rows. Several
 * groups may have the same keys.
 */
export async function summedGroups(
  entity: AnyEntity,
  reader: Pick<Reader, 'daySums'>,
  { request, workspaces, timezone }: Grouping,
): Promise<OwnedValue[] | null> {
  const { q, by, usual = [], value, within } = request
  const shape = shapeOf(entity)
  if (!shape || !reader.daySums || !within || within.field !== shape.on) return null
  if (q !== undefined || usual.length > 0 || entity.except !== undefined) return null
  const valued = new Set<string>(value === undefined ? [] : [value])
  const kept = new Set<string>()
  for (const { field, unit } of by) {
    if (shape.values.includes(field)) valued.add(field)
    else if (shape.by.includes(field)) kept.add(field)
    else if (field !== shape.on || unit === undefined) return null
  }
  const [counted, ...others] = valued
  if (others.length > 0 || (counted !== undefined && !shape.values.includes(counted))) return null
  const sums = await reader.daySums.read({
    where: where.and(where.in('workspace_id', workspaces), shape.counted),
    within: { date_from: within.date_from, date_to: within.date_to, timezone },
    by: ['workspace_id', ...kept],
    byDay: by.some(({ field }) => field === shape.on),
  })
  return (
    sums?.flatMap(({ keys, day = null, n, values }) => {
      const parts = counted === undefined ? [{ value: null, n }] : (values[counted] ?? [])
      return parts.map((part) => ({
        workspace: String(keys.workspace_id),
        keys: by.map(({ field, unit }) => {
          if (field === shape.on) return cut(day, unit)
          return field === counted ? part.value : (keys[field] ?? null)
        }),
        value: value === undefined || part.value === null ? null : Number(part.value),
        count: part.n,
      }))
    }) ?? null
  )
}
