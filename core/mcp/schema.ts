import type { JsonSchema } from '../kit/json-schema'

/** The schema of an object, for the input and output of tools. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: string[]
  readonly [more: string]: unknown
}

/** Returns an object schema with additional optional properties. */
export function withProperties(schema: JsonSchema, further: Record<string, object>): ObjectSchema {
  const properties = { ...(schema.properties as Record<string, object> | undefined), ...further }
  return { ...schema, type: 'object', properties }
}

/**
 * Limits that a schema for answers omits: clients validate answers, and an answer may be shortened or newer.
 */
const bounds = new Set(
  'additionalProperties examples default format pattern minimum maximum minLength maxLength minItems maxItems'.split(
    ' ',
  ),
)

/**
 * Returns the schema of an answer for clients: types and names, with descriptions on its first level. Limits
 * are left out, because a long list of tools takes space in every conversation. The reference page has the
 * rest.
 */
export function answerSchema(schema: JsonSchema, depth = 0): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, part]) => {
      if (bounds.has(key) && !(key === 'additionalProperties' && saysAnything(part))) return []
      if (key === 'description' && depth > 1) return []
      if (key === 'properties') return [[key, mapped(part as JsonSchema, depth + 1)]]
      if (Array.isArray(part)) {
        return [[key, part.map((one) => (isSchema(one) ? answerSchema(one, depth + 1) : one))]]
      }
      return [[key, isSchema(part) ? answerSchema(part, depth + 1) : part]]
    }),
  )
}

/** Returns the schema of an answer that may leave out some fields of its rows. Clients validate answers. */
export function withoutRequired(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema
  const left = new Set(names.map((name) => name.split('.').at(-1)))
  return JSON.parse(
    JSON.stringify(schema, (key, part) =>
      key === 'required' && Array.isArray(part) ? part.filter((name) => !left.has(name)) : part,
    ),
  )
}

const mapped = (properties: JsonSchema, depth: number) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, answerSchema(part as JsonSchema, depth)]),
  )

/**
 * Whether a schema restricts anything. One that accepts everything means the same as none, but clients warn
 * about it.
 */
const saysAnything = (part: unknown) => isSchema(part) && Object.keys(part).length > 0

export const isSchema = (part: unknown): part is JsonSchema =>
  part !== null && typeof part === 'object' && !Array.isArray(part)

const composed = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$defs']

/** Returns faults that make clients refuse a tool, silently and often together with all other tools. */
export function schemaFaults(name: string, input: ObjectSchema, output: ObjectSchema): string[] {
  const faults: string[] = []
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name))
    faults.push(`tool ${name}: the name must have 1 to 40 letters, digits, _ and -`)
  for (const [side, schema] of [
    ['input', input],
    ['output', output],
  ] as const) {
    if (schema.type !== 'object') faults.push(`tool ${name}: its ${side} must be an object`)
    for (const word of composed)
      if (word in schema) faults.push(`tool ${name}: ${word} at the root of its ${side}`)
    if (/"\$(?:ref|defs)":/.test(JSON.stringify(schema))) faults.push(`tool ${name}: $ref in its ${side}`)
  }
  for (const property of Object.keys(input.properties)) {
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(property)) faults.push(`tool ${name}: the property ${property}`)
  }
  return faults
}
