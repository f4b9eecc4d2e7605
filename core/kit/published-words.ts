import type { JsonSchema } from './json-schema'
import type { Words } from './words'

/** The extension of JSON Schema that says that Renown writes a text. A text without it may be of anybody. */
export const wordsKey = 'x-renown-words'

/**
 * Returns a schema that says whose words its texts are, as answers to agents mark them. Closed lists, numbers and dates
 * say it themselves.
 */
export function withWords(schema: JsonSchema, words: Words): JsonSchema {
  if (words === 'theirs') return schema
  if (typeof words === 'string') return saysItself(schema) ? schema : { ...schema, [wordsKey]: words }
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, partOf(name, part, words)]))
}

const choices = ['anyOf', 'oneOf', 'allOf']

function partOf(name: string, part: unknown, words: Exclude<Words, string>): unknown {
  if (choices.includes(name)) return listOf(part, words)
  if ('items' in words) {
    if (name === 'prefixItems') return listOf(part, words.items)
    return name === 'items' ? inside(part, words.items) : part
  }
  if (name === 'additionalProperties') return inside(part, words.others)
  if (name !== 'properties') return part
  return Object.fromEntries(
    Object.entries(part as object).map(([field, schema]) => [
      field,
      inside(schema, words.fields.get(field) ?? words.others),
    ]),
  )
}

const listOf = (part: unknown, words: Words) =>
  Array.isArray(part) ? part.map((one) => inside(one, words)) : part

const inside = (part: unknown, words: Words): unknown =>
  part !== null && typeof part === 'object' ? withWords(part as JsonSchema, words) : part

const plainTypes = ['number', 'integer', 'boolean', 'null']
const saysItself = ({ type, format, ...rest }: JsonSchema) =>
  'enum' in rest ||
  'const' in rest ||
  plainTypes.includes(String(type)) ||
  format === 'date' ||
  format === 'date-time'

/** Whose words the text of a field is, or the texts of a list. Undefined if they may be of anybody. */
export function ownWordsOf(words: Words): 'ours' | 'code' | undefined {
  if (words === 'theirs') return undefined
  if (typeof words === 'string') return words
  return 'items' in words ? ownWordsOf(words.items) : undefined
}
