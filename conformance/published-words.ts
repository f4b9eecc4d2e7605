import { isObject, type JsonObject, objectsIn, textAt, valueAt } from './json'

/** Who writes a text, as the installation publishes it. `code`: Renown, if it is one word. */
export type PublishedWords = 'ours' | 'code' | 'theirs'

/** What the installation publishes about the texts of its answers. */
export interface WordsBook {
  /** Whether it says so at all. Older installations do not. */
  readonly isPublished: boolean
  /** Who writes the text at a path of a tool's answer. */
  wordsAt(call: AnsweredCall, path: readonly string[]): PublishedWords
  /** Who writes a field of a record type, by its dotted path. Undefined if there is no such field. */
  wordsOfField(type: string, path: string): PublishedWords | undefined
  /** Every field of answers with one of these names that is published as ours. */
  ownFieldsNamed(names: ReadonlySet<string>): readonly string[]
}

/** A call whose answer is read. */
export interface AnsweredCall {
  readonly tool: string
  readonly args: JsonObject
}

const wordsKey = 'x-renown-words'
/** Fields that MCP adds to every answer: what was cut, which limit was used, and positions. */
const added = new Set(['untrusted', 'truncated', 'hint', 'limit_applied', 'next_cursor', 'next_skip'])

/** Reads who writes which text from the OpenAPI document, and for events from the surface. */
export function readWords(openapi: JsonObject, surface: JsonObject): WordsBook {
  const schemas = valueAt(openapi, 'components', 'schemas')
  const schemaOf = (name: string) => valueAt(schemas, name)
  const at = (name: string, path: readonly string[]) => wordsIn(schemaOf(name), path, openapi)
  return {
    isPublished: JSON.stringify(schemas ?? {}).includes(`"${wordsKey}":`),
    wordsAt({ tool, args }, path) {
      const [head = '', , ...rest] = path
      if (added.has(head)) return 'ours'
      if (tool === 'list_records' || tool === 'list_workspaces')
        return head === 'rows'
          ? at(tool === 'list_records' ? String(args.entity) : 'Workspace', rest)
          : 'ours'
      if (tool === 'get_record') return head === 'record' ? at(String(args.entity), path.slice(1)) : 'ours'
      if (tool === 'aggregateRecords' && path.slice(0, 3).join('.') === 'groups.[].keys')
        return at(String(args.entity), (path[3] ?? '').split(':').slice(0, 1))
      if (tool === 'listEvents' && path.slice(0, 3).join('.') === 'events.[].data')
        return eventWords(surface, path[3] ?? '')
      return at(`${tool}Output`, path)
    },
    wordsOfField(type, path) {
      const schema = schemaOf(type)
      const steps = path.split('.')
      return valueAt(schema, 'properties', steps[0] ?? '') === undefined ? undefined : at(type, steps)
    },
    ownFieldsNamed: (names) =>
      Object.entries(isObject(schemas) ? schemas : {}).flatMap(([name, schema]) =>
        name.endsWith('Input') ? [] : ownNamed(schema, names, false).map((path) => `${name}.${path}`),
      ),
  }
}

/** The words of a path in a schema. A text is ours only if every choice of the schema says so. */
function wordsIn(schema: unknown, path: readonly string[], openapi: JsonObject): PublishedWords {
  if (!isObject(schema)) return 'theirs'
  const reference = textAt(schema, '$ref')
  if (reference?.startsWith('#/'))
    return wordsIn(valueAt(openapi, ...reference.slice(2).split('/')), path, openapi)
  const said = schema[wordsKey]
  if (said === 'ours' || said === 'code') return said === 'code' && path.length > 0 ? 'theirs' : said
  const choices = [...objectsIn(schema.anyOf), ...objectsIn(schema.oneOf)]
  const [step, ...rest] = path
  if (choices.length > 0) {
    const having = choices.filter((one) => step === undefined || has(one, step))
    return having.length === 0
      ? 'theirs'
      : having.map((one) => wordsIn(one, path, openapi)).reduce(stricter, 'ours')
  }
  if (step === undefined) return isClosed(schema) ? 'ours' : 'theirs'
  if (step === '[]') return wordsIn(schema.items, rest, openapi)
  const named = valueAt(schema, 'properties', step)
  return wordsIn(named ?? schema.additionalProperties, rest, openapi)
}

const has = (schema: JsonObject, step: string) =>
  '$ref' in schema ||
  wordsKey in schema ||
  'anyOf' in schema ||
  (step === '[]'
    ? 'items' in schema
    : valueAt(schema, 'properties', step) !== undefined || isObject(schema.additionalProperties))

const order: readonly PublishedWords[] = ['ours', 'code', 'theirs']
const stricter = (one: PublishedWords, other: PublishedWords) =>
  order.indexOf(one) > order.indexOf(other) ? one : other

/** Whether a schema has no text of its own: closed lists, numbers and dates. */
function isClosed({ type, format, ...rest }: JsonObject): boolean {
  if ('enum' in rest || 'const' in rest) return true
  return format === 'date' || format === 'date-time' || /^(?:number|integer|boolean|null)$/.test(String(type))
}

/** Types of events share names of fields. A text is ours only if it is in each type that has it. */
function eventWords(surface: JsonObject, name: string): PublishedWords {
  const fields = objectsIn(surface.events).flatMap(({ data }) =>
    objectsIn(data).filter((field) => field.name === name),
  )
  if (fields.length === 0) return 'theirs'
  return fields.map(fieldWords).reduce(stricter, 'ours')
}

function fieldWords({ words, type, values }: JsonObject): PublishedWords {
  if (words === 'ours' || words === 'code') return words
  return Array.isArray(values) || (type !== 'string' && type !== 'array' && type !== 'object')
    ? 'ours'
    : 'theirs'
}

/** The paths in a schema that end with one of the names and are published as ours. */
function ownNamed(schema: unknown, names: ReadonlySet<string>, isOurs: boolean): string[] {
  if (!isObject(schema)) return []
  const ours = isOurs || schema[wordsKey] === 'ours' || schema[wordsKey] === 'code'
  const further = [schema.items, schema.additionalProperties].map((one) => ['[]', one] as const)
  const choices = [...objectsIn(schema.anyOf), ...objectsIn(schema.oneOf)].map((one) => ['', one] as const)
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  return [...properties, ...further, ...choices].flatMap(([name, part]) => {
    const inside = ownNamed(part, names, ours)
    const says = ours || holdsOwn(part)
    const own = names.has(name) && says ? [name] : []
    return [...own, ...inside.map((path) => [name, path].filter(Boolean).join('.'))]
  })
}

/** Whether a schema says that its text, or the texts of its list, are ours. */
function holdsOwn(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const said = schema[wordsKey]
  if (said === 'ours' || said === 'code') return true
  return [schema.items, ...objectsIn(schema.anyOf), ...objectsIn(schema.oneOf)].some(holdsOwn)
}
