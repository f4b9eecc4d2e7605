import { Refusal } from '../contracts/errors'
import type { ShortAnswer } from '../contracts/operation'
import type { JsonSchema } from '../kit/json-schema'
import { fitted, type Printed } from '../kit/model-text'
import type { Words } from '../kit/words'
import { isSchema } from './schema'
import { shortRoom, withOwn } from './short-answer'
import type { Arguments } from './tool'

/** The argument of tools whose answers leave out some fields. */
export const fullArgument = { full: { type: 'boolean' } }

const hint = 'Seldom used fields and the ends of long lists are left out. For everything, send full: true.'

/** Whether a call wants all fields of its answer. */
export function wantsAll({ full = null }: Arguments): boolean {
  if (full === null || typeof full === 'boolean') return full ?? false
  const message = 'must be true or false'
  throw new Refusal('invalid_parameter', `The argument \`full\` ${message}.`, {
    errors: [{ parameter: 'full', code: 'invalid', message }],
  })
}

/**
 * Returns an answer with the strangers' words marked. An answer that is longer than a short list leaves out the fields of `seldom`,
 * and says so.
 */
export function briefAnswer(
  answer: object,
  words: Words,
  seldom: readonly string[],
  args: Arguments = {},
): Printed {
  if (JSON.stringify(answer).length <= shortRoom.characters) return fitted(answer, { words })
  const isWanted = (path: string) => (args[path.split('?')[1] ?? ''] ?? null) !== null
  const left = seldom.filter((path) => !isWanted(path))
  const short = left.reduce<unknown>((rest, path) => withoutPath(rest, stepsOf(path)), answer)
  return fitted({ ...(short as object), hint }, { words: withOwn(words) })
}

/** Returns an answer that its operation shortened, and says what was left out. */
export const shortened = ({ answer, left }: ShortAnswer, words: Words): Printed =>
  fitted({ ...answer, hint: `${left} For everything, send full: true.` }, { words: withOwn(words) })

/** Returns the names in a path such as `errors.most[5]` or `trend?interval`, and a number of items as the last one. */
const stepsOf = (path: string): string[] =>
  path
    .replace(/\?\w{1,40}$/, '')
    .replace(/\[(\d{1,4})\]$/, '.[$1')
    .split('.')

/** Returns a value without the field at a path, or with the first items of a list. A path goes through the items of lists. */
function withoutPath(value: unknown, [name = '', ...inside]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return name.startsWith('[')
      ? value.slice(0, Number(name.slice(1)))
      : value.map((item) => withoutPath(item, [name, ...inside]))
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  const { [name]: found, ...rest } = value as Readonly<Record<string, unknown>>
  return inside.length === 0 ? rest : { ...value, [name]: withoutPath(found, inside) }
}

/** Returns the first path that the schema of an answer does not have. */
export const unknownPath = (schema: JsonSchema, paths: readonly string[]): string | undefined =>
  paths.find((path) => !hasPath(schema, stepsOf(path)))

function hasPath(schema: unknown, path: readonly string[]): boolean {
  const [name, ...inside] = path
  if (name === undefined) return true
  if (!isSchema(schema)) return false
  if (isSchema(schema.items)) return name.startsWith('[') || hasPath(schema.items, path)
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((one) => hasPath(one, path))
  const properties = schema.properties
  return isSchema(properties) && Object.hasOwn(properties, name) && hasPath(properties[name], inside)
}
