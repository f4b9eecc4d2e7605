import type { JsonSchema } from '../gateway/json-schema'

/** An object schema, as tools take and answer. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: string[]
  readonly [more: string]: unknown
}

/** An object schema with further properties, none of them required. */
export function withProperties(schema: JsonSchema, further: Record<string, object>): ObjectSchema {
  const properties = { ...(schema.properties as Record<string, object> | undefined), ...further }
  return { ...schema, type: 'object', properties }
}

/** Clients check answers against the schema, and newer answers may hold more: no object is closed. */
export function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, part]) =>
      key === 'additionalProperties' && part === false ? [] : [[key, opened(part)]],
    ),
  )
}

const composed = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$defs']

/** What clients are known to refuse, silently and often together with every other tool. */
export function schemaFaults(name: string, input: ObjectSchema, output: ObjectSchema): string[] {
  const faults: string[] = []
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(name)) faults.push(`tool ${name}: not 1 to 40 letters, digits, _ and -`)
  for (const [side, schema] of [
    ['input', input],
    ['output', output],
  ] as const) {
    if (schema.type !== 'object') faults.push(`tool ${name}: its ${side} is no object`)
    for (const word of composed)
      if (word in schema) faults.push(`tool ${name}: ${word} at the root of its ${side}`)
    if (/"\$(?:ref|defs)":/.test(JSON.stringify(schema))) faults.push(`tool ${name}: $ref in its ${side}`)
  }
  for (const property of Object.keys(input.properties)) {
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(property)) faults.push(`tool ${name}: the property ${property}`)
  }
  return faults
}
