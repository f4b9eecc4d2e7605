import { JsonExcess, parseJson } from '../contracts/bounded-json'
import { echoed } from '../contracts/echoed'
import type { AnyEntity } from '../contracts/entity'
import { type Fault, Refusal } from '../contracts/errors'
import type { Scalar, Where } from '../contracts/where'
import { type Field, fieldAt, headOf, type Shape, visibleFields } from '../kit/fields'
import { nearest } from '../kit/suggest'
import { operatorsOf, typedValue } from './values'

/** The bounds of `q`, published with the surface. */
export const filterBounds = {
  bytes: 8192,
  depth: 5,
  leaves: 50,
  listValues: 200,
  searchCharacters: 128,
} as const

/** The operators that join conditions, and those that compare a field. There are no others. */
export const filterOperators = {
  join: ['$and', '$or', '$nor'],
  compare: [
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$in',
    '$nin',
    '$exists',
    '$contains',
    '$startsWith',
    '$all',
    '$size',
    '$not',
  ],
} as const

interface Walk {
  readonly entity: AnyEntity
  readonly faults: Fault[]
  readonly named: Set<string>
  leaves: number
}

/** Parses `q` into a typed tree and the fields that it names. Throws a Refusal that lists every error. */
export function parseFilter(entity: AnyEntity, text: string): { where: Where; named: ReadonlySet<string> } {
  if (text.length > filterBounds.bytes || new TextEncoder().encode(text).length > filterBounds.bytes) {
    throw refuse([fault('', 'too_long', `longer than ${filterBounds.bytes} bytes`)])
  }
  const walk: Walk = { entity, faults: [], named: new Set(), leaves: 0 }
  const where = conditions(walk, readJson(text), '', 1)
  if (walk.leaves > filterBounds.leaves) {
    walk.faults.unshift(fault('', 'too_many', `more than ${filterBounds.leaves} comparisons`))
  }
  if (walk.faults.length > 0) throw refuse(walk.faults.slice(0, 10))
  return { where, named: walk.named }
}

function readJson(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof JsonExcess && text.trimStart().startsWith('{')) {
      throw refuse([fault('', 'too_deep', error.message)])
    }
  }
  if (isObject(value)) return value
  throw new Refusal('malformed_filter', '`q` must be a JSON object, such as {"id":"…"}.', {
    errors: [{ parameter: 'q', code: 'malformed', message: 'not a JSON object' }],
  })
}

function conditions(walk: Walk, filter: Record<string, unknown>, at: string, depth: number): Where {
  if (!depthFits(walk, at, depth)) return nothing
  const of = Object.entries(filter).map(([key, value]) => {
    const pointer = `${at}/${escapePointer(key)}`
    return key.startsWith('$')
      ? joined(walk, key, value, pointer, depth)
      : onField(walk, key, value, pointer, depth)
  })
  const [only, second] = of
  return only && !second ? only : { op: 'and', of }
}

function joined(walk: Walk, key: string, value: unknown, at: string, depth: number): Where {
  const op = key === '$and' ? 'and' : key === '$or' ? 'or' : key === '$nor' ? 'nor' : null
  if (!op) return refuseOperator(walk, at, key, filterOperators.join)
  if (!Array.isArray(value) || value.length === 0) {
    return add(walk, fault(at, 'wrong_type', `${key} takes a list of at least one filter`))
  }
  if (value.length > filterBounds.leaves) {
    return add(walk, fault(at, 'too_many', `more than ${filterBounds.leaves} filters`))
  }
  const of = value.map((part, place) => {
    walk.leaves += isObject(part) && Object.keys(part).length === 0 ? 1 : 0
    if (isObject(part)) return conditions(walk, part, `${at}/${place}`, depth + 1)
    return add(walk, fault(`${at}/${place}`, 'wrong_type', 'expected a filter object'))
  })
  return { op, of }
}

function onField(walk: Walk, path: string, value: unknown, at: string, depth: number): Where {
  const field = fieldAt(walk.entity, path)
  if (!field || field.hidden) {
    const names = filterablePaths(walk.entity)
    const meant = nearest(path, names)
    const problem = fault(at, 'unknown_field', `${walk.entity.name} has no such field`)
    return add(walk, { ...problem, ...(meant ? { did_you_mean: meant } : { allowed: names.slice(0, 60) }) })
  }
  if (field.opaque)
    return add(walk, fault(at, 'opaque_field', 'is stored as received and cannot be filtered'))
  walk.named.add(headOf(field.path))
  if (!isObject(value)) return compare(walk, field, Array.isArray(value) ? '$in' : '$eq', value, at, depth)
  return operators(walk, field, value, at, depth + 1)
}

function operators(
  walk: Walk,
  field: Field,
  value: Record<string, unknown>,
  at: string,
  depth: number,
): Where {
  if (!depthFits(walk, at, depth)) return nothing
  const keys = Object.keys(value)
  if (keys.length === 0 || keys.some((key) => !key.startsWith('$'))) {
    const entry = field.fields?.find((candidate) => candidate.name === keys[0])
    const hint = entry ? `; name its entries by dots, such as ${entry.path}` : ''
    return add(walk, fault(at, 'wrong_type', `expected a value or operators${hint}`))
  }
  const of = keys.map((key) => compare(walk, field, key, value[key], `${at}/${escapePointer(key)}`, depth))
  const [only, second] = of
  return only && !second ? only : { op: 'and', of }
}

function compare(walk: Walk, field: Field, key: string, value: unknown, at: string, depth: number): Where {
  walk.leaves++
  const offered = operatorsOf(field)
  const onNull = value === null && (key === '$eq' || key === '$ne')
  if (!offered.includes(key) && !onNull) {
    const plain = (key === '$eq' || key === '$in') && !at.endsWith(escapePointer(key))
    if (plain) return add(walk, fault(at, 'wrong_type', `takes null or ${offered.join(', ')} only`))
    return refuseOperator(walk, at, key, offered)
  }
  const path = field.path
  const target = field.element ?? field
  switch (key) {
    case '$not':
      walk.leaves--
      if (isObject(value)) return { op: 'not', of: operators(walk, field, value, at, depth + 1) }
      return add(walk, fault(at, 'wrong_type', '$not takes an object of operators'))
    case '$exists':
      if (typeof value === 'boolean') return { op: 'exists', field: path, value }
      return add(walk, fault(at, 'wrong_type', '$exists takes true or false'))
    case '$size':
      if (Number.isSafeInteger(value) && Number(value) >= 0) {
        return { op: 'size', field: path, value: Number(value) }
      }
      return add(walk, fault(at, 'wrong_type', '$size takes a whole number'))
    case '$contains':
    case '$startsWith':
      return search(walk, path, key, value, at)
    case '$in':
    case '$nin':
    case '$all':
      return list(walk, path, target, key, value, at)
    default:
      return single(walk, path, target, key, value, at)
  }
}

const singleOps = { $eq: 'eq', $ne: 'ne', $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const
const listOps = { $in: 'in', $nin: 'nin', $all: 'all' } as const
const nothing: Where = { op: 'or', of: [] }

function single(walk: Walk, path: string, shape: Shape, key: string, value: unknown, at: string): Where {
  const op = singleOps[key as keyof typeof singleOps]
  if (value === null && (op === 'eq' || op === 'ne')) return { op, field: path, value }
  if (Array.isArray(value)) {
    return add(walk, fault(at, 'wrong_type', `${key} takes one value; $in, $nin and $all take lists`))
  }
  const typed = typedValue(shape, value)
  return typed.ok ? { op, field: path, value: typed.value } : add(walk, valueFault(at, typed))
}

function list(walk: Walk, path: string, shape: Shape, key: string, value: unknown, at: string): Where {
  const op = listOps[key as keyof typeof listOps]
  if (!Array.isArray(value) || value.length === 0 || value.length > filterBounds.listValues) {
    return add(walk, fault(at, 'wrong_type', `expected a list of 1 to ${filterBounds.listValues} values`))
  }
  const values = value.map((entry, place): Scalar => {
    if (entry === null && op !== 'all') return null
    const typed = typedValue(shape, entry)
    if (typed.ok) return typed.value
    walk.faults.push(valueFault(`${at}/${place}`, typed))
    return null
  })
  return { op, field: path, values }
}

function search(
  walk: Walk,
  path: string,
  key: '$contains' | '$startsWith',
  value: unknown,
  at: string,
): Where {
  const op = key === '$contains' ? 'contains' : 'startsWith'
  const typed = typedValue({ kind: 'string' } as Shape, value)
  const length = typed.ok ? [...String(typed.value)].length : 0
  if (typed.ok && length > 0 && length <= filterBounds.searchCharacters) {
    return { op, field: path, value: String(typed.value) }
  }
  return add(
    walk,
    fault(at, 'wrong_type', `expected text of 1 to ${filterBounds.searchCharacters} characters`),
  )
}

/** Returns the dotted names that a filter may use. */
export function filterablePaths(entity: AnyEntity): string[] {
  const below = (field: Field): string[] => [field.path, ...(field.fields ?? []).flatMap(below)]
  return visibleFields(entity)
    .filter((field) => !field.opaque)
    .flatMap(below)
}

function depthFits(walk: Walk, at: string, depth: number): boolean {
  if (depth <= filterBounds.depth) return true
  walk.faults.push(fault(at, 'too_deep', `nested more than ${filterBounds.depth} objects deep`))
  return false
}

function refuseOperator(walk: Walk, at: string, key: string, allowed: readonly string[]): Where {
  const meant = nearest(key, allowed)
  const problem = { ...fault(at, 'operator_not_allowed', `${key.slice(0, 40)} is not allowed here`), allowed }
  return add(walk, meant ? { ...problem, did_you_mean: meant } : problem)
}

function add(walk: Walk, problem: Fault): Where {
  walk.faults.push(problem)
  return nothing
}

const valueFault = (at: string, typed: { message: string; allowed?: Shape['values'] }): Fault => ({
  ...fault(at, 'invalid_value', typed.message),
  ...(typed.allowed ? { allowed: typed.allowed } : {}),
})

const fault = (pointer: string, code: string, message: string): Fault => ({
  parameter: 'q',
  pointer,
  code,
  message,
})

function refuse(faults: readonly Fault[]): Refusal {
  const { pointer, message } = faults[0] as Fault
  const code = faults.every((each) => each.code === 'operator_not_allowed')
    ? 'operator_not_allowed'
    : 'invalid_filter'
  return new Refusal(code, `The filter is invalid at \`${pointer || 'q'}\`: ${message}.`, {
    errors: faults,
  })
}

const escapePointer = (key: string) => echoed(key).replaceAll('~', '~0').replaceAll('/', '~1')

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
