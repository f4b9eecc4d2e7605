import * as v from 'valibot'
import { type Spelling, spellingMark } from '../contracts/field'
import { isDay, isStorable, normaliseInstant } from '../contracts/values'
import type { Scalar } from '../contracts/where'
import type { Shape } from '../kit/fields'

/** A value that can be compared with a field, or why it cannot. */
export type Typed =
  | { readonly ok: true; readonly value: Exclude<Scalar, null> }
  | { readonly ok: false; readonly message: string; readonly allowed?: Shape['values'] }

/** Checks an outside value against a field's kind and values. Instants are returned in UTC with milliseconds. */
export function typedValue(shape: Shape, value: unknown): Typed {
  if (shape.values && !shape.values.some((allowed) => allowed === value)) {
    return { ok: false, message: 'is not one of the accepted values', allowed: shape.values }
  }
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' && isStorable(value) ? spelled(shape, value) : wrong('text')
    case 'boolean':
      return typeof value === 'boolean' ? { ok: true, value } : wrong('true or false')
    case 'number':
    case 'integer':
      return typeof value === 'number' && fits(value) ? { ok: true, value: value + 0 } : wrong('a number')
    case 'day':
      return typeof value === 'string' && isDay(value) ? { ok: true, value } : wrong('a day, YYYY-MM-DD')
    case 'instant': {
      const normal = typeof value === 'string' ? normaliseInstant(value) : null
      if (normal !== null) return { ok: true, value: normal }
      return wrong('an RFC 3339 date and time with an offset, such as 2026-11-20T00:00:00Z')
    }
    default:
      return wrong('only null or $exists')
  }
}

/** Returns the stored form of a name of a closed list. Otherwise a filter by another spelling would find nothing. */
function spelled({ schema }: Partial<Shape>, text: string): Typed {
  const marks = schema && v.getMetadata(schema as Parameters<typeof v.getMetadata>[0])
  const meant = (marks?.[spellingMark] as Spelling | undefined)?.(text) ?? text
  return typeof meant === 'string' ? { ok: true, value: meant } : { ok: false, ...meant }
}

/** Returns the operators that a filter may use on a field, by its kind. */
export function operatorsOf(shape: Shape & { readonly searchable?: boolean }): readonly string[] {
  const presence = ['$exists', '$not']
  if (shape.kind === 'object') return presence
  if (shape.kind === 'array') {
    const element = shape.element
      ? operatorsOf({ ...shape.element, searchable: shape.searchable ?? false })
      : []
    return [...new Set([...element, ...(comparable(shape.element) ? ['$all'] : []), '$size', ...presence])]
  }
  const equality = ['$eq', '$ne', '$in', '$nin']
  const order = shape.kind === 'boolean' ? [] : ['$gt', '$gte', '$lt', '$lte']
  const search = shape.searchable && shape.kind === 'string' ? ['$contains', '$startsWith'] : []
  return [...equality, ...order, ...search, ...presence]
}

const comparable = (shape: Shape | undefined) =>
  shape !== undefined && shape.kind !== 'object' && shape.kind !== 'array'

const fits = (value: number) =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

const wrong = (expected: string): Typed => ({ ok: false, message: `expected ${expected}` })
