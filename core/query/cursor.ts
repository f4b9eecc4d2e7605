import { parseJson } from '../contracts/bounded-json'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { isStorable } from '../contracts/values'
import type { Scalar, SortKey } from '../contracts/where'
import { fieldAt } from '../kit/fields'
import { sortText } from './sort'
import { typedValue } from './values'

/** The end of a page: the values of the sort keys and the id of its last row. */
export interface Cursor {
  readonly values: readonly Scalar[]
  readonly id: string
}

/** Returns the opaque text of a cursor, bound to its sort. */
export const encodeCursor = (sort: readonly SortKey[], last: Cursor): string => cursorWriter(sort)(last)

/** Returns a function that writes the cursors of a sort. */
export function cursorWriter(sort: readonly SortKey[]): (last: Cursor) => string {
  const text = orderOf(sort)
  return ({ values, id }) => Buffer.from(JSON.stringify([text, values, id])).toString('base64url')
}

/** Reads a cursor. Throws if it is invalid or belongs to another sort order. */
export function decodeCursor(entity: AnyEntity, sort: readonly SortKey[], text: string): Cursor {
  const parts = text.length <= 4096 && /^[\w-]+$/.test(text) ? readParts(text) : null
  if (!Array.isArray(parts) || parts.length !== 3) throw refuse('is not a valid cursor')
  const [made, values, id] = parts
  if (made !== orderOf(sort)) throw refuse(`was created for another sort order than ${sortText(sort)}`)
  if (typeof id !== 'string' || !isStorable(id)) throw refuse('is not a valid cursor')
  if (!Array.isArray(values) || values.length !== sort.length) throw refuse('is not a valid cursor')
  return { values: sort.map(({ field }, place) => keyValue(entity, field, values[place])), id }
}

/** A cursor of an order with nulls first cannot continue the same order with nulls last. */
const orderOf = (sort: readonly SortKey[]): string =>
  sort.map((key) => `${sortText([key])}${key.nulls === 'last' ? ' nulls last' : ''}`).join(',')

function keyValue(entity: AnyEntity, path: string, value: unknown): Scalar {
  const field = fieldAt(entity, path)
  if (value === null || !field) return null
  // Checks only the kind, because a stored value may be older than the schema's list of values.
  const { values: _, ...shape } = field
  const typed = typedValue(shape, value)
  if (!typed.ok) throw refuse('is not a valid cursor')
  return typed.value
}

function readParts(text: string): unknown {
  try {
    return parseJson(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

const refuse = (message: string) =>
  new Refusal('invalid_parameter', `The parameter \`cursor\` ${message}.`, {
    errors: [{ parameter: 'cursor', code: 'invalid', message }],
    hint: 'Send the unchanged cursor of X-Next-Cursor, with the same sort.',
  })
