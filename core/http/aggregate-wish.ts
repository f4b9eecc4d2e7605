import type { GroupKey } from '../contexts/summed-groups'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { type Field, periodFieldOf } from '../kit/fields'
import { nearest } from '../kit/suggest'
import { type AggregateFunction, functions } from './aggregated'

/** A field, or the workspace, to group by. */
export interface Key extends GroupKey {
  readonly isWorkspace: boolean
}

/** The number of rows, or a function of a number. */
export interface MeasureWish {
  readonly text: string
  readonly fn?: AggregateFunction
  readonly field?: string
}

const groupedKinds = new Set(['string', 'number', 'integer', 'boolean', 'day', 'instant'])
const units = ['day', 'week', 'month'] as const

/** Reads an entry of `group_by`. Throws a Refusal with the fields that it may name. */
export function keyOf(text: string, place: number, fields: readonly Field[]): Key {
  if (text === 'workspace') return { field: text, isWorkspace: true }
  const [name = '', unit] = text.split(':', 2)
  const groupable = fields.flatMap(groupableIn)
  const allowed = groupable.map(({ path, kind }) => (kind === 'instant' ? `${path}:day` : path))
  // The first field of an object says which one it is, such as the handle of an author.
  const found = groupable.find(({ path }) => path === name || path.startsWith(`${name}.`))
  const pointer = `/group_by/${place}`
  if (!found)
    throw refused(pointer, `${text.slice(0, 60)} cannot be grouped by`, ['workspace', ...allowed], name)
  const isDate = found.kind === 'instant' || found.kind === 'day'
  const cut = units.find((one) => one === unit)
  if (unit !== undefined && (cut === undefined || !isDate))
    throw refused(
      pointer,
      isDate ? 'a date takes :day, :week or :month' : `${name} is no date`,
      isDate ? units.map((one) => `${name}:${one}`) : [name],
    )
  if (found.kind === 'instant' && cut === undefined)
    throw refused(
      pointer,
      `${name} is an instant: group by its day, week or month`,
      units.map((one) => `${name}:${one}`),
    )
  return { field: found.path, isWorkspace: false, ...(cut === undefined ? {} : { unit: cut }) }
}

/** Returns the field, or the texts of an object, if a list can be grouped by them. */
function groupableIn(field: Field): readonly Field[] {
  const { fields = [], kind, opaque } = field
  if (opaque) return []
  if (kind === 'object') return fields.filter((one) => one.kind === 'string')
  return groupedKinds.has(kind) ? [field] : []
}

/** Reads an entry of `measures`. Throws a Refusal with the measures that it may be. */
export function measureOf(text: string, place: number, fields: readonly Field[]): MeasureWish {
  if (text === 'count') return { text }
  const [fn = '', name = ''] = text.split(':', 2)
  const numbers = fields.filter(({ kind, opaque }) => (kind === 'number' || kind === 'integer') && !opaque)
  const known = functions.find((one) => one === fn)
  const pointer = `/measures/${place}`
  if (!known)
    throw refused(pointer, `${text.slice(0, 60)} is no measure`, [
      'count',
      ...functions.map((one) => `${one}:<number field>`),
    ])
  if (!numbers.some((one) => one.name === name))
    throw refused(
      pointer,
      `${name.slice(0, 60)} is no number field`,
      numbers.map((one) => `${fn}:${one.name}`),
    )
  return { text, fn: known, field: name }
}

/** Returns the date that a period is about. */
export function dateField(wanted: string | undefined, entity: AnyEntity, fields: readonly Field[]): string {
  const dates = fields.filter(({ kind, opaque }) => (kind === 'instant' || kind === 'day') && !opaque)
  const name = wanted ?? periodFieldOf(entity)
  if (dates.some((one) => one.name === name)) return name
  throw refused(
    '/date_field',
    `${name.slice(0, 60)} is no date`,
    dates.map((one) => one.name),
  )
}

/** The refusal of one field of the operation. */
export function refused(
  pointer: string,
  message: string,
  allowed: readonly string[],
  given?: string,
): Refusal {
  const meant = given === undefined ? undefined : nearest(given, allowed)
  return new Refusal('invalid_field', `The body of aggregateRecords is invalid: ${message}.`, {
    errors: [{ pointer, code: 'invalid', message, allowed, ...(meant ? { did_you_mean: meant } : {}) }],
  })
}
