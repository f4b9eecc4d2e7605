import type { JsonSchema } from '../kit/json-schema'
import { isSchema } from './schema'
import { inToolWords } from './tool-words'

/**
 * Arguments that mean the same in every tool. The instructions explain them once, so that the list of tools need not.
 */
const shared = new Set(
  'workspace_id location_id business_location_id site_id tracker_id engine country period days date_from date_to limit skip text if_unchanged take_back tone length stage priority source dry_run idempotency_key'.split(
    ' ',
  ),
)

/** The part of the instructions about them. */
export const sharedArguments =
  'Arguments of many tools: workspace_id (default: the home workspace); location_id or business_location_id, site_id and tracker_id (an id, or a unique name, domain or address); engine (only of this answer engine, such as chatgpt); country (ISO 3166-1 alpha-2); period (this_month, last_month, this_week, last_quarter, last_7_days, yesterday and the like), or days (up to today), or date_from with date_to (both included, YYYY-MM-DD); limit and skip (rows); text (your own words, saved instead of generated ones); if_unchanged (the text that you expect to replace; 409 if it is another); take_back (restores the draft that was replaced); dry_run (returns what would be written and writes nothing); idempotency_key (repeated within 24 hours, it returns the first answer and writes nothing).'

/** What the gateway checks anyway. Its refusals name the accepted values. */
const checkedAnyway = new Set(
  'additionalProperties minLength maxLength minItems maxItems pattern format examples'.split(' '),
)

/**
 * Returns the schema of an input for clients: names, types, accepted values, and descriptions of what the name does not say.
 * A list of tools takes space in every conversation, so it leaves out what a refusal would say.
 */
export function inputSchemaOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).flatMap(([key, part]) => partsOf(schema, key, part)))
}

function partsOf(schema: JsonSchema, key: string, part: unknown): [string, unknown][] {
  if (checkedAnyway.has(key)) return []
  if (
    key === 'description' &&
    typeof part === 'string' &&
    !(Array.isArray(schema.enum) && isSigned(schema.enum))
  )
    return [[key, inToolWords(part)]]
  if (key === 'minimum' && Number(part) <= 1) return []
  if (key === 'default' && (part === false || part === 0 || isEmpty(part))) return []
  if (key === 'items' && isSchema(part) && isLong(part.enum)) return [[key, { type: 'string' }]]
  if (key === 'items' && isSchema(part) && 'description' in schema) {
    const { description: _, ...rest } = part
    return [[key, inputSchemaOf(rest)]]
  }
  if (key === 'description' && isSchema(schema.items) && isLong(schema.items.enum))
    return [[key, `${part}. Such as ${someOf(schema.items.enum).join(', ')}`]]
  if (key === 'required' && Array.isArray(part) && part.length === 0) return []
  if (key === 'type' && part === 'string' && Array.isArray(schema.enum) && !isSigned(schema.enum)) return []
  if (key === 'enum' && Array.isArray(part) && isSigned(part)) return []
  if (key === 'description' && Array.isArray(schema.enum) && isSigned(schema.enum)) {
    const names = schema.enum.map(String).filter((one) => !/^[+-]/.test(one))
    return [[key, `${names.join(', ')}; - before it: descending`]]
  }
  if (key === 'properties') {
    const inside = Object.entries(part as Record<string, JsonSchema>).map(([name, one]) => [
      name,
      argument(name, one),
    ])
    return [[key, Object.fromEntries(inside)]]
  }
  if (Array.isArray(part)) return [[key, part.map((one) => (isSchema(one) ? inputSchemaOf(one) : one))]]
  return [[key, isSchema(part) ? inputSchemaOf(part) : part]]
}

function argument(name: string, schema: JsonSchema): JsonSchema {
  if (!shared.has(name)) return inputSchemaOf(schema)
  const { description: _, default: _default, maximum, ...rest } = inputSchemaOf(schema)
  if (name === 'period') return { type: 'string' }
  return name === 'limit' ? { ...rest, maximum } : rest
}

const isEmpty = (part: unknown) => Array.isArray(part) && part.length === 0

/** Lists of more accepted values than this are cut to some examples. A refusal lists all. */
const acceptedMax = 10

const isLong = (values: unknown): values is readonly unknown[] =>
  Array.isArray(values) && values.length > acceptedMax

/** Returns some accepted values: the first of each kind, which is the part before the dot. */
function someOf(values: readonly unknown[]): string[] {
  const kinds = new Map(
    values
      .map(String)
      .toReversed()
      .map((value) => [value.split('.')[0], value]),
  )
  return [...kinds.values()].toReversed().slice(0, 6)
}

/** Whether the accepted values are fields to sort on, with and without a sign. */
const isSigned = (values: readonly unknown[]) => values.some((one) => String(one).startsWith('-'))
