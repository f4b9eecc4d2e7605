import type { GroupQuery, GroupRow } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { type Where, where } from '../contracts/where'
import { type Field, visibleFields } from '../kit/fields'
import { instantsOf } from '../kit/periods'
import { readNarrow } from './breadth'
import type { Caller, ContextDeps } from './context'
import { listedRows } from './listed-rows'
import { cut, type GroupedRequest, type OwnedValue, summedGroups } from './summed-groups'

/** Maximum groups that a store returns for one request. */
export const groupedMax = 20_000

/**
 * Counts the rows of a list by keys and by the values of a number. Sums, averages and percentiles of these counts are the same
 * in every store, because no store computes them.
 */
export async function groupedRecords(
  { registry, sources }: ContextDeps,
  caller: Omit<Caller, 'requestId'>,
  request: GroupedRequest,
  workspaces: readonly string[] = [],
): Promise<OwnedValue[]> {
  const { entity: name, q, by, usual = [], value, within } = request
  const { entity, view, condition: listed } = listedRows(registry, caller, name, q, workspaces)
  const fields = new Map(
    visibleFields(view).flatMap((field) => [field, ...(field.fields ?? [])].map((one) => [one.path, one])),
  )
  const names = [...by.map(({ field }) => field), ...(value === undefined ? [] : [value])]
  // Another workspace than the caller's may keep contact details back.
  const kept = [...names, ...(within ? [within.field] : [])].find((one) => !fields.has(one))
  if (kept !== undefined) throw notShown(entity, kept)
  const { timezone } = caller.workspace
  const reader = sources.reader(entity)
  const own = workspaces.length === 0 ? [caller.workspace.id] : workspaces
  const summed = await summedGroups(entity, reader, { request, workspaces: own, timezone })
  if (summed !== null && summed.length <= groupedMax) return summed
  const condition = where.and(
    listed,
    ...usual,
    ...(within ? [insidePeriod(fields.get(within.field), within, timezone)] : []),
  )
  const asked: GroupQuery['by'][number][] = [...new Set(by.map(({ field }) => field))].map((field) => {
    const units = new Set(by.flatMap((key) => (key.field === field && key.unit ? [key.unit] : [])))
    // A store groups once by each field. Several periods of a date are cut from its days.
    const unit = units.size > 1 ? 'day' : [...units][0]
    return unit !== undefined && fields.get(field)?.kind === 'instant' ? { field, unit, timezone } : field
  })
  if (value !== undefined && !by.some(({ field }) => field === value)) asked.push(value)
  if (workspaces.length > 0) asked.push('workspace_id')
  const query = { where: condition, by: asked, measures: [{ as: countName, fn: 'count' as const }] }
  const rows = await readNarrow(sources, { entity, view, reader }, { where: condition }, () =>
    reader.group({ ...query, limit: groupedMax + 1 }),
  )
  if (rows.length > groupedMax) throw tooMany(names)
  return rows.map((row) => ({
    workspace: String(row.workspace_id ?? caller.workspace.id),
    keys: by.map(({ field, unit }) => cut(row[field] ?? null, unit)),
    value: value === undefined ? null : numberIn(row, value),
    count: Number(row[countName]),
  }))
}

/** No field has such a name. */
const countName = 'n of the rows'

const numberIn = (row: GroupRow, name: string) => {
  const value = row[name]
  return value === null || value === undefined ? null : Number(value)
}

function insidePeriod(
  field: Field | undefined,
  { date_from, date_to }: { readonly date_from: string; readonly date_to: string },
  timezone: string,
): Where {
  const name = field?.name ?? ''
  if (field?.kind === 'day') return where.and(where.gte(name, date_from), where.lte(name, date_to))
  const { from, before } = instantsOf({ date_from, date_to }, timezone)
  return where.and(where.gte(name, from), where.lt(name, before))
}

const notShown = ({ name }: AnyEntity, field: string) =>
  new Refusal('invalid_field', `A workspace does not show ${name}.${field}, so it cannot be grouped by.`, {
    errors: [{ pointer: '/group_by', code: 'invalid', message: `${field} is hidden in a workspace` }],
  })

const tooMany = (names: readonly string[]) =>
  new Refusal(
    'filter_too_broad',
    `${names.join(', ')} have more than ${groupedMax.toLocaleString('en')} different values together. Narrow q or the period.`,
    { errors: [{ pointer: '/q', code: 'filter_too_broad', message: 'matches too many different values' }] },
  )
