import type { PipelineStage } from 'mongoose'
import type { GroupQuery, GroupRow, Measure } from '../../../contracts/context'
import type { AnyEntity } from '../../../contracts/entity'
import { everything } from '../../../contracts/where'
import { fieldAt } from '../../../kit/fields'
import { mongoPath, toMongo } from '../../../query/to-mongo'

/** Returns the aggregation for a group query, in the order of its keys. */
export function groupPipeline(entity: AnyEntity, query: GroupQuery): PipelineStage[] {
  const keys = query.by.map((by, place): [string, unknown] => [`k${place}`, keyOf(entity, by)])
  const measures = query.measures.map((measure, place): [string, unknown] => [
    `m${place}`,
    measureOf(entity, measure),
  ])
  const sort = Object.fromEntries(keys.map(([name]) => [`_id.${name}`, 1 as const]))
  return [
    { $match: toMongo(query.where ?? everything, entity) },
    { $group: { _id: keys.length > 0 ? Object.fromEntries(keys) : null, ...Object.fromEntries(measures) } },
    ...(keys.length > 0 ? [{ $sort: sort }] : []),
    ...(query.limit === undefined ? [] : [{ $limit: query.limit }]),
  ] as PipelineStage[]
}

/** Returns a row of that aggregation with the requested names. */
export function groupRow(query: GroupQuery, row: Readonly<Record<string, unknown>>): GroupRow {
  const keys = (row._id ?? {}) as Readonly<Record<string, unknown>>
  const out: GroupRow = {}
  for (const [place, by] of query.by.entries())
    out[typeof by === 'string' ? by : by.field] = plain(keys[`k${place}`])
  for (const [place, { as }] of query.measures.entries()) out[as] = plain(row[`m${place}`])
  return out
}

function measureOf(entity: AnyEntity, measure: Measure): unknown {
  if (measure.field === undefined) return { $sum: 1 }
  const value = `$${path(entity, measure.field)}`
  if (measure.fn !== 'count') return { [`$${measure.fn}`]: value }
  return { $sum: { $cond: [{ $eq: [{ $ifNull: [value, null] }, null] }, 0, 1] } }
}

function keyOf(entity: AnyEntity, by: GroupQuery['by'][number]): unknown {
  if (typeof by === 'string') return { $ifNull: [`$${path(entity, by)}`, null] }
  if (fieldAt(entity, by.field)?.kind !== 'instant') throw new Error(`${by.field} is not a date field`)
  const { unit } = by
  const zone = by.timezone === 'UTC' ? {} : { timezone: by.timezone }
  const date = `$${path(entity, by.field)}`
  const sinceMonday = { $subtract: [{ $toInt: { $dateToString: { date, format: '%u', ...zone } } }, 1] }
  const monday = { $dateSubtract: { startDate: date, unit: 'day', amount: sinceMonday, ...zone } }
  const format = unit === 'month' ? '%Y-%m-01' : '%Y-%m-%d'
  const missing = { $eq: [{ $ifNull: [date, null] }, null] }
  return {
    $cond: [missing, null, { $dateToString: { date: unit === 'week' ? monday : date, format, ...zone } }],
  }
}

function path(entity: AnyEntity, name: string): string {
  const field = fieldAt(entity, name)
  if (!field || field.kind === 'array') throw new Error(`${entity.name}.${name} cannot be grouped`)
  return mongoPath(name)
}

function plain(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString()
  return (value ?? null) as string | number | boolean | null
}
