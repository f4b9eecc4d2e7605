import { trusted } from 'mongoose'
import type { AnyEntity } from '../contracts/entity'
import type { Scalar, Where } from '../contracts/where'
import { fieldAt, type Shape } from '../kit/fields'
import { textPattern } from './text-match'

/** A MongoDB filter that Renown made. */
export type MongoFilter = Record<string, unknown>

type Leaf = Extract<Where, { readonly field: string }>

/**
 * Compiles the tree into a new MongoDB filter. Instants are stored as dates and `id` as `_id`. Operator objects are
 * marked as trusted, so that mongoose's `sanitizeFilter` allows only these.
 */
export function toMongo(where: Where, entity: AnyEntity): MongoFilter {
  if (where.op === 'not') return { $nor: [toMongo(where.of, entity)] }
  if ('of' in where) {
    const parts = where.of.map((part) => toMongo(part, entity))
    if (parts.length === 0) return where.op === 'or' ? { _id: trusted({ $in: [] }) } : {}
    if (where.op === 'and') return joined(parts)
    if (parts.length === 1 && where.op !== 'nor') return parts[0] ?? {}
    return { [`$${where.op}`]: parts }
  }
  const field = fieldAt(entity, where.field)
  if (!field) throw new Error(`${entity.name} has no field ${where.field}`)
  return onField(where, field)
}

/** Puts conditions on different fields into one object. Conditions on the same field are listed under `$and`. */
function joined(parts: readonly MongoFilter[]): MongoFilter {
  const keys = parts.flatMap(Object.keys)
  return new Set(keys).size === keys.length ? Object.assign({}, ...parts) : { $and: parts }
}

/** Returns the stored name of a field. */
export const mongoPath = (path: string): string => (path === 'id' ? '_id' : path)

/** Returns a filter's value in its stored form. */
export const mongoValue = (shape: Shape, value: Scalar): Scalar | Date =>
  shape.kind === 'instant' && typeof value === 'string' ? new Date(value) : value

function onField(leaf: Leaf, field: Shape): MongoFilter {
  const path = mongoPath(leaf.field)
  const shape = field.kind === 'array' ? (field.element ?? field) : field
  const stored = (value: Scalar) => mongoValue(shape, value)
  const by = (operators: Record<string, unknown>): MongoFilter => ({ [path]: trusted(operators) })
  switch (leaf.op) {
    case 'eq':
    case 'ne':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const ordered = leaf.op !== 'eq' && leaf.op !== 'ne'
      return ordered && leaf.value === null
        ? { _id: trusted({ $in: [] }) }
        : by({ [`$${leaf.op}`]: stored(leaf.value) })
    }
    case 'in':
    case 'nin':
      return by({ [`$${leaf.op}`]: leaf.values.map(stored) })
    case 'all':
      return leaf.values.length === 0 ? {} : { $and: leaf.values.map((value) => by({ $eq: stored(value) })) }
    case 'size':
      return by({ $size: leaf.value })
    case 'exists':
      if (field.kind !== 'array') return by(leaf.value ? { $ne: null } : { $eq: null })
      return leaf.value ? by({ $type: 'array' }) : { $nor: [by({ $type: 'array' })] }
    case 'contains':
    case 'startsWith':
      return by({ $regex: textPattern(leaf.op, leaf.value) })
  }
}
