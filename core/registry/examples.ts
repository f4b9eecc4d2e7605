import * as v from 'valibot'
import { type Field, type Shape, shapeOf } from '../kit/fields'

/** How to make examples: which texts to try for a field name, and whether optional fields get a value. */
export interface ExampleStyle {
  readonly texts: (name: string) => readonly string[]
  readonly isWhole: boolean
}

/** Returns an example that a schema accepts, or undefined if no candidate matches. */
export function exampleOf(shape: Shape, style: ExampleStyle, name = ''): unknown {
  const given = v.getExamples(shape.schema as Parameters<typeof v.getExamples>[0])
  const last = shape.nullable ? [null] : []
  return [...given, ...candidates(shape, style, name), ...last].find((candidate) =>
    v.is(shape.schema, candidate),
  )
}

/** Returns an example object of these fields. A rule over several fields may still refuse it. */
export function exampleObject(fields: readonly Field[], style: ExampleStyle): Record<string, unknown> {
  const wanted = fields.filter(({ optional }) => style.isWhole || !optional)
  const entries = wanted.map((field) => [field.name, exampleOf(field, style, field.name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * Returns an example of an object schema for readers, with all fields. When these exclude each other, only with the
 * required ones.
 */
export function exampleForReaders(schema: v.GenericSchema, fields = shapeOf(schema).fields ?? []): unknown {
  return [readers, { ...readers, isWhole: false }]
    .map((style) => exampleObject(fields, style))
    .find((example) => v.is(schema, example))
}

const numbers = [1, 0, -1, 10, 100, 1000]

function candidates(shape: Shape, style: ExampleStyle, name: string): readonly unknown[] {
  if (shape.values) return shape.values
  switch (shape.kind) {
    case 'string':
      return style.texts(name)
    case 'number':
      return [...numbers, 0.1]
    case 'integer':
      return numbers
    case 'boolean':
      return [false, true]
    case 'instant':
      return ['2026-01-02T03:04:05.678Z']
    case 'day':
      return ['2026-01-02']
    case 'array':
      return arrays(shape, style, name)
    case 'object':
      return [...(shape.fields ? [exampleObject(shape.fields, style)] : []), {}]
  }
}

function arrays({ element }: Shape, style: ExampleStyle, name: string): readonly unknown[] {
  const one = element && exampleOf(element, style, name)
  const filled = one === undefined ? [] : [[one]]
  return style.isWhole ? [...filled, []] : [[], ...filled]
}

const words: readonly (readonly [RegExp, string])[] = [
  [/(^|_)(url|website|link)s?$/, 'https://example.com/page'],
  [/email/, 'person@example.com'],
  [/phone/, '+34910000000'],
  [/domain|host/, 'example.com'],
  [/timezone/, 'Europe/Madrid'],
  [/locale|language/, 'en'],
  [/countr/, 'ES'],
  [/code$/, 'ES'],
  [/path/, '/menu'],
  [/name/, 'Corner Bakery'],
  [/engine/, 'chatgpt'],
]

const readers: ExampleStyle = {
  isWhole: true,
  texts: (name) => [
    ...(/(^|_)ids?$/.test(name) ? [exampleId(prefixOf(name))] : []),
    ...words.filter(([pattern]) => pattern.test(name)).map(([, word]) => word),
    'Some text',
    ...plainTexts,
  ],
}

/** Texts that are valid for common fields. */
export const plainTexts: readonly string[] = [
  'https://example.com/page',
  'example.com',
  'person@example.com',
  'Europe/Madrid',
  'en',
  'ES',
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
]

/** Returns an example id in the usual form, with this prefix. */
export const exampleId = (prefix: string): string =>
  `${(prefix || 'abc').padEnd(3, 'x')}_01KFG2N9H8Q4M7R3T6V5W1X0YZ`

/** Returns the prefix of the ids in a field, from its name: `loc` for `location_id`. */
const prefixOf = (name: string): string => {
  const words = name.replace(/_?ids?$/, '').split('_')
  return (words.at(-1) ?? '').slice(0, 3)
}
