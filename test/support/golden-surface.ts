import type { AnyEntity } from '../../core/contracts/entity'
import type { AnyCommand } from '../../core/contracts/plugin'
import { openapiOf } from '../../core/http/openapi'
import { type Field, fieldsOf, hiddenFields, type Shape, shapeOf, visibleFields } from '../../core/kit/fields'
import { jsonSchemaOf } from '../../core/kit/json-schema'
import type { Registry } from '../../core/registry/registry'
import { type Surface, type SurfaceField, surfaceOf } from '../../core/registry/surface'
import { indexesOf } from '../../core/stores/documents/indexes'

/** What the product declares, one line for each thing: its name, and what it is. */
export type SurfaceLines = ReadonlyMap<string, string>

type Line = readonly [name: string, words: string]

/**
 * Everything that callers, people at a shell and the stores rely on, one line a field, so that a change of it reads well in a
 * diff. Texts for people are left out: they may change at any time.
 */
export function surfaceLines(registry: Registry): SurfaceLines {
  const surface = surfaceOf(registry)
  const bounds = boundsOf(registry)
  const commands = [...registry.commands.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return new Map([
    ...recordLines(surface, bounds),
    ...operationLines(surface, bounds),
    ...[...bounds].map(([at, words]): Line => [`schema ${at}`, `(${words})`]),
    ...[...registry.entities.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap(storedLines),
    ...commands.flatMap(commandLines),
  ])
}

/** Writes the lines of a surface as the text of a file. */
export const surfaceText = (lines: SurfaceLines): string =>
  `${[...lines].map(([name, words]) => `${name}: ${words}`).join('\n')}\n`

/** Reads the text of a file that `surfaceText` wrote. */
export const readSurface = (text: string): SurfaceLines =>
  new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line): Line => {
        const end = line.indexOf(': ')
        return [line.slice(0, end), line.slice(end + 2)]
      }),
  )

function recordLines({ entities }: Surface, bounds: Map<string, string>): Line[] {
  return entities.flatMap((entity): Line[] => {
    const except = Object.entries(entity.default_except).map(([name, value]) => `except:${name}=${value}`)
    const set = entity.always_except_set.map((name) => `except_set:${name}`)
    const header = [...entity.reads, `order:${entity.default_sort}`, ...except, ...set, ...leaving(entity)]
    return [
      [`record ${entity.name}`, header.join(' ')],
      ...fieldLines(`record ${entity.name}`, entity.fields, { bounds, at: entity.name }),
    ]
  })
}

function operationLines({ operations }: Surface, bounds: Map<string, string>): Line[] {
  return operations.flatMap((operation): Line[] => {
    const { name } = operation
    const reach = operation.cross_agency === 'allowed' ? 'own allowed' : 'own'
    const header = [operation.class, `scope:${operation.scope}`, reach, ...leaving(operation)]
    return [
      [`operation ${name}`, header.join(' ')],
      ...fieldLines(`operation ${name} in`, operation.input, { bounds, at: `${name}Input` }),
      ...fieldLines(`operation ${name} out`, operation.output, { bounds, at: `${name}Output` }),
    ]
  })
}

interface Bounded {
  /** Bounds by their place in the published schemas. Those that a field takes are removed. */
  readonly bounds: Map<string, string>
  readonly at: string
}

/** One line for each field, and one for each field inside it. */
function fieldLines(owner: string, fields: readonly SurfaceField[], { bounds, at }: Bounded): Line[] {
  return fields.flatMap((field): Line[] => {
    const place = `${at}.${field.name}`
    const bound = bounds.get(place)
    bounds.delete(place)
    const words = [wordsOf(field), ...(bound === undefined ? [] : [`(${bound})`])]
    return [
      [`${owner}.${field.name}`, words.join(' ')],
      ...fieldLines(`${owner}.${field.name}`, field.fields ?? [], { bounds, at: place }),
    ]
  })
}

const wordsOf = (field: SurfaceField): string =>
  [
    field.values ? field.values.join('|') : field.type,
    field.optional && 'optional',
    field.nullable && 'nullable',
    field.filter && field.filter !== 'compare' && `filter:${field.filter}`,
    field.sortable && 'sortable',
    ...leaving(field),
  ]
    .filter(Boolean)
    .join(' ')

const leaving = ({ deprecated }: Pick<SurfaceField, 'deprecated'>): readonly string[] =>
  deprecated ? [`deprecated:${deprecated.since}/${deprecated.sunset}`] : []

/** How a record type is stored, and the fields that no caller sees. */
function storedLines(entity: AnyEntity): Line[] {
  const { name, store, scope, idPrefix } = entity
  const shown = new Set(visibleFields(entity).map((field) => field.name))
  const isOwn = (field: Field) => !baseFields.includes(field.name)
  const isHidden = (field: Field) => hiddenFields(entity).includes(field.name)
  const internal = fieldsOf(entity).filter(
    (field) => isOwn(field) && (entity.reads.length === 0 || !shown.has(field.name)),
  )
  return [
    [`store ${name}`, `${store} by ${scope.by} in ${scope.field}, prefix ${idPrefix}`],
    [
      `store ${name} indexes`,
      indexesOf(entity)
        .map((index) => index.name)
        .join(' '),
    ],
    ...internal.map(
      (field): Line => [
        `store ${name}.${field.name}`,
        `${lineOf(field)}${entity.reads.length === 0 && isHidden(field) ? ' hidden' : ''}`,
      ],
    ),
  ]
}

const baseFields = ['id', 'workspace_id', 'created_date', 'updated_date']

function commandLines({ name, input, positional = [], secrets = [] }: AnyCommand): Line[] {
  const marks = [...positional.map((one) => `<${one}>`), ...secrets.map((one) => `secret:${one}`)]
  return [
    [`command ${name}`, ['takes', ...marks].join(' ')],
    ...(shapeOf(input).fields ?? []).map((field): Line => [`command ${name} --${field.name}`, lineOf(field)]),
  ]
}

/** A field's type: `string`, `integer|null`, `a|b`, `string[]`, `instant`, `object`. */
function typeOf(field: Shape): string {
  const bare =
    field.kind === 'array' && field.element
      ? `${typeOf(field.element)}[]`
      : field.values
        ? field.values.join('|')
        : field.kind
  return field.nullable ? `${bare}|null` : bare
}

/** Words for people in a JSON schema, and what the type of a field says already. */
const unbounded = new Set(['$schema', 'type', 'description', 'title', 'examples', 'format', 'enum', 'items'])

/** A field in one line: its type, whether it is optional, and its bounds. */
function lineOf(field: Shape): string {
  const bounds = Object.entries(jsonSchemaOf(field.schema)).filter(([name]) => !unbounded.has(name))
  const words = bounds.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [`${typeOf(field)}${field.optional ? ' optional' : ''}`, ...words].join(' ')
}

/** What the published schemas promise beside the types: the bounds of each place, in one line. */
function boundsOf(registry: Registry): Map<string, string> {
  const document = openapiOf(registry, 'https://app.example')
  const { components } = document as { readonly components: { readonly schemas: object } }
  return new Map(boundLines(components.schemas, ''))
}

/** Words for people, which may change at any time. */
const texts = new Set(['description', 'title', 'summary', 'example', 'examples'])
/** Values of a closed list are in the type already. */
const bounding = /^(min|max|pattern|default|const|uniqueItems|multipleOf|additionalProperties)/
/** Steps of the document that say nothing about the place. */
const unnamed = new Set(['properties', 'items'])

function* boundLines(node: object, at: string): Generator<Line> {
  const bounds: string[] = []
  for (const [name, value] of Object.entries(node)) {
    if (texts.has(name) || value === undefined) continue
    const isList = Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object')
    if (typeof value === 'object' && value !== null && !isList)
      yield* boundLines(value, unnamed.has(name) ? at : [at, name].filter(Boolean).join('.'))
    else if (bounding.test(name)) bounds.push(`${name} ${[value].flat().join('|')}`)
  }
  if (bounds.length > 0) yield [at, bounds.join(', ')]
}
