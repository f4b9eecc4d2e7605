import type { JsonSchema } from '../kit/json-schema'
import { isSchema } from './schema'
import { inToolWords } from './tool-words'

/**
 * Arguments that mean the same in every tool. The instructions explain them once, so that the list of tools need not.
 */
const shared = new Set(
  'workspace_id location_id business_location_id site_id tracker_id engine country period days limit skip text if_unchanged take_back tone length stage priority source full dry_run idempotency_key input reason'.split(
    ' ',
  ),
)

/** The part of the instructions about them. */
export const sharedArguments =
  'Arguments of many tools: workspace_id (default: the home workspace); location_id or business_location_id, site_id and tracker_id (an id, or a unique name, domain or address); engine (only of this answer engine, such as chatgpt); country (ISO 3166-1 alpha-2); period (such as this_month, last_month, this_week, last_quarter, last_30_days, yesterday, 2026-10 or 2026-10-05/2026-10-18); days (up to today); limit and skip (rows); full (all fields); text (your own words, saved instead of generated ones); if_unchanged (the text that you expect to replace; 409 if it is another); take_back (restores the draft that was replaced); dry_run (returns what would be written and writes nothing); idempotency_key (repeated within 24 hours, it returns the first answer and writes nothing).'

/** What the gateway checks anyway. Its refusals name the accepted values. */
const checkedAnyway = new Set(
  'additionalProperties minLength maxLength minItems maxItems pattern format examples'.split(' '),
)

/** Arguments that `period` says as well. They are accepted, and left out of the list. */
const saidByPeriod = ['days', 'date_from', 'date_to']

/**
 * Returns the schema of an input for clients: names, types, accepted values, and descriptions of what the name does not say.
 * A list of tools takes space in every conversation, so it leaves out what a refusal would say.
 */
export function inputSchemaOf(schema: JsonSchema): JsonSchema {
  const description = descriptionOf(schema)
  const shown = Object.entries(schema).flatMap(([key, part]): [string, unknown][] => {
    if (key === 'description' || isLeftOut(key, part, schema)) return []
    if (key === 'properties') return [[key, argumentsOf(part as Record<string, JsonSchema>)]]
    if (key === 'items' && isSchema(part)) return [[key, itemOf(part, 'description' in schema)]]
    return [[key, shortened(part)]]
  })
  return { ...Object.fromEntries(shown), ...(description ? { description } : {}) }
}

function shortened(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(shortened)
  return isSchema(part) ? inputSchemaOf(part) : part
}

function itemOf(item: JsonSchema, isDescribed: boolean): JsonSchema {
  if (isLong(item.enum)) return { type: 'string' }
  const { description, ...rest } = item
  return inputSchemaOf(isDescribed || description === undefined ? rest : item)
}

function argumentsOf(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const hidden = 'period' in properties ? saidByPeriod : []
  const named = Object.entries(properties).filter(([name]) => !hidden.includes(name))
  return Object.fromEntries(named.map(([name, schema]) => [name, argumentOf(name, schema)]))
}

function argumentOf(name: string, schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema
  if (!shared.has(name)) return inputSchemaOf(isIdOf(name, description) ? rest : schema)
  const { default: _default, maximum: _maximum, ...short } = rest
  return inputSchemaOf(short)
}

/** Whether a description only says what the name of an id says: `Id of the report` of `report_id`. */
const isIdOf = (name: string, description: unknown) =>
  description === `Id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`

function isLeftOut(key: string, part: unknown, { enum: values, description }: JsonSchema): boolean {
  if (checkedAnyway.has(key)) return true
  if (key === 'required') return isEmpty(part)
  if (key === 'minimum') return Number(part) <= 1
  if (key === 'type') return part === 'string' && isListed(values)
  if (key === 'enum') return !isListed(part)
  return (
    key === 'default' &&
    (!part || isEmpty(part) || isSigned(values) || String(description).includes('Default'))
  )
}

function descriptionOf({ description, enum: values, items }: JsonSchema): string | undefined {
  const own = typeof description === 'string' ? inToolWords(description) : undefined
  if (isSigned(values)) {
    const names = values.filter((one) => !/^[+-]/.test(one))
    const bothWays = names.filter((name) => values.includes(`-${name}`))
    const oneWay = names.filter((name) => !bothWays.includes(name))
    return [...oneWay, `${bothWays.join(', ')}; - before it: descending`].join('; or ')
  }
  const many = isSchema(items) ? items.enum : values
  if (!isLong(many)) return own
  return [own, `Such as ${someOf(many).join(', ')}`].filter(Boolean).join('. ')
}

const isEmpty = (part: unknown) => Array.isArray(part) && part.length === 0

/** Lists of more accepted values than this are cut to some examples. A refusal lists all. */
const acceptedMax = 10

const isLong = (values: unknown): values is readonly unknown[] =>
  Array.isArray(values) && values.length > acceptedMax && !isSigned(values)

/** Whether the list shows all accepted values. */
const isListed = (values: unknown) => Array.isArray(values) && !isLong(values) && !isSigned(values)

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
const isSigned = (values: unknown): values is readonly string[] =>
  Array.isArray(values) && values.some((one) => String(one).startsWith('-'))
