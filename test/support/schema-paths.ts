import type { GenericSchema } from 'valibot'

/** The parts of valibot's schemas that lead to other schemas. */
interface Inner {
  readonly type: string
  readonly entries?: Readonly<Record<string, GenericSchema>>
  readonly wrapped?: GenericSchema
  readonly item?: GenericSchema
  readonly pipe?: readonly unknown[]
}

/** A field of an answer: its path, such as `reviewer.displayName`, and whether the schema lets it be left out. */
export interface SchemaPath {
  readonly path: string
  readonly isOptional: boolean
}

/** Returns every field of an object schema and of the objects and lists inside it. */
export function schemaPaths(schema: GenericSchema, before = ''): SchemaPath[] {
  const { entries = {} } = unwrapped(schema)
  return Object.entries(entries).flatMap(([name, field]) => {
    const path = `${before}${name}`
    const isOptional = ['optional', 'nullish'].includes((field as unknown as Inner).type)
    return [{ path, isOptional }, ...schemaPaths(field, `${path}.`)]
  })
}

/** Returns the schema of the object inside optional values, lists and pipes. */
function unwrapped(schema: GenericSchema): Inner {
  const { type, wrapped, item, ...rest } = schema as unknown as Inner
  const inside = wrapped ?? item
  return inside ? unwrapped(inside) : { type, ...rest }
}

/** Removes a field from a value of JSON, in every item of a list on the way. */
export function leaveOut(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => leaveOut(one, path))
  if (typeof value !== 'object' || value === null) return value
  const [name = '', ...rest] = path.split('.')
  const entries = Object.entries(value).filter(([key]) => key !== name || rest.length > 0)
  return Object.fromEntries(
    entries.map(([key, one]) => [key, key === name ? leaveOut(one, rest.join('.')) : one]),
  )
}
