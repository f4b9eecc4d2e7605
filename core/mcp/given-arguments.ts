import { parseJson } from '../contracts/bounded-json'
import { isSchema, type ObjectSchema } from './schema'
import type { Arguments } from './tool'

/**
 * Returns arguments as models mean them. The same rules apply to all tools. Null means that an optional argument is left out. A
 * number, a flag, an object or a list may be written as text, and one value is a list of it. A limit above the maximum means the
 * maximum. The tool checks everything else, also the names of arguments.
 */
export function givenArguments(args: Arguments, { properties }: ObjectSchema): Arguments {
  const names = Object.keys(args)
  const entries = names.flatMap((name): [string, unknown][] => {
    const value = args[name]
    if (!Object.hasOwn(properties, name)) return [[name, value]]
    const schema = properties[name] as Schema
    return value === null && !acceptsNull(schema) ? [] : [[name, meant(name, value, schema)]]
  })
  const isSame = entries.length === names.length && entries.every(([name, value]) => args[name] === value)
  return isSame ? args : Object.fromEntries(entries)
}

interface Schema {
  readonly type?: unknown
  readonly maximum?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const acceptsNull = ({ type, anyOf }: Schema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some(acceptsNull)

function meant(name: string, value: unknown, schema: Schema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return limited(name, numberIn(value), schema.maximum)
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : value
    case 'object':
      return structureIn(value, isSchema)
    case 'array':
      return listIn(structureIn(value, Array.isArray), schema.items?.type)
    default:
      return value
  }
}

const numberIn = (value: unknown) =>
  typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value

const limited = (name: string, value: unknown, maximum: unknown) =>
  name === 'limit' && typeof value === 'number' && typeof maximum === 'number' && value > maximum
    ? maximum
    : value

/** Returns the object or list that a text has as JSON, or the value itself. */
function structureIn(value: unknown, isMeant: (parsed: unknown) => boolean): unknown {
  if (typeof value !== 'string' || !/^\s?[{[]/.test(value)) return value
  try {
    const parsed = parseJson(value)
    return isMeant(parsed) ? parsed : value
  } catch {
    return value
  }
}

/** Returns a list of one value in place of the value, if its elements are of that kind. */
function listIn(value: unknown, kind: unknown): unknown {
  const isElement = kind === 'object' ? isSchema(value) : typeof value === 'string' && value !== ''
  return isElement ? [value] : value
}
