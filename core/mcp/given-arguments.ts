import type { ObjectSchema } from './schema'
import type { Arguments } from './tool'

/**
 * Returns arguments as models mean them. The same rules apply to all tools. Null means that an argument is left out. A number or
 * a flag may be written as text. A limit above the maximum means the maximum. The tool checks everything else.
 */
export function givenArguments(args: Arguments, { properties }: ObjectSchema): Arguments {
  const names = Object.keys(args)
  if (names.every((name) => isPlain(args[name]))) return args
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = args[name]
      const schema = (Object.hasOwn(properties, name) ? properties[name] : {}) as Schema
      if (value === null && !acceptsNull(schema)) return []
      return [[name, meant(name, value, schema)]]
    }),
  )
}

interface Schema {
  readonly type?: unknown
  readonly maximum?: unknown
  readonly anyOf?: readonly Schema[]
}

/** Texts that may be numbers or flags, numbers, and null are looked at. */
const isPlain = (value: unknown) =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null) || isWord(value)

const isWord = (value: unknown) => typeof value === 'string' && !/^(?:-?\d|true$|false$)/.test(value)

const acceptsNull = ({ type, anyOf }: Schema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some(acceptsNull)

function meant(name: string, value: unknown, { type, maximum }: Schema): unknown {
  const isNumber = type === 'integer' || type === 'number'
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  const number =
    isNumber && typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value
  return name === 'limit' && typeof number === 'number' && typeof maximum === 'number' && number > maximum
    ? maximum
    : number
}
