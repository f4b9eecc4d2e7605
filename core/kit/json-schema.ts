import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { Deprecation } from '../contracts/deprecation'
import { ownCodes, ownWords } from '../contracts/values'

export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Returns a valibot schema as JSON Schema 2020-12, as OpenAPI 3.1 uses it. Parts without an equivalent are left out.
 */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: 'draft-2020-12', errorMode: 'ignore' })
  return mended(rest) as JsonSchema
}

/** Replaces the product's own marks of instants and days by the formats of JSON Schema. */
function mended(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(mended)
  if (node === null || typeof node !== 'object') return node
  const { value, propertyNames: _, ...known } = withoutMarks(node)
  const { words, ...unmarked } = known
  const rest = words === ownWords || words === ownCodes ? unmarked : known
  const notice = rest.deprecated
  if (isNotice(notice))
    return mended({ ...rest, value, deprecated: true, 'x-renown-deprecated': { ...notice } })
  const mapped = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, mended(part)]))
  if (rest.type === 'string' && value === 'instant') return { ...mapped, format: 'date-time' }
  if (rest.type === 'string' && value === 'day') return { ...mapped, format: 'date' }
  return value === undefined ? mapped : { ...mapped, value: mended(value) }
}

/** Leaves out what only Renown reads. Some of it is code. */
const withoutMarks = (node: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !name.startsWith('renown:')))

/** Whether a value is a deprecation notice, not a property named `deprecated`. */
const isNotice = (part: unknown): part is Deprecation =>
  part !== null && typeof part === 'object' && typeof (part as Partial<Deprecation>).sunset === 'string'
