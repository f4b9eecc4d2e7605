import { describe, expect, test } from 'bun:test'
import type { AnyEntity } from '../../core/contracts/entity'
import type { AnyCommand } from '../../core/contracts/plugin'
import { type Field, fieldAt, fieldsOf, type Shape, shapeOf, visibleFields } from '../../core/kit/fields'
import { jsonSchemaOf } from '../../core/kit/json-schema'
import { indexesOf } from '../../core/stores/documents/indexes'

/** A field's type in the words of the literals: `string`, `integer|null`, `enum(a,b)`, `string[]`, `instant`, `object`. */
export function typeOf(field: Shape): string {
  const bare =
    field.kind === 'array' && field.element
      ? `${typeOf(field.element)}[]`
      : field.values
        ? `enum(${field.values.join(',')})`
        : field.kind
  return field.nullable ? `${bare}|null` : bare
}

/**
 * Holds an entity's visible fields against literals written from the specification, one test a field, so that a
 * missing or mistyped field fails by name. Dotted names reach into objects; base fields are added here.
 */
export function declares(entity: AnyEntity, literals: Readonly<Record<string, string>>): void {
  describe(`${entity.name} declares`, () => {
    const wanted = { id: 'string', created_date: 'instant', updated_date: 'instant', ...literals }
    test.each(Object.entries(wanted))('%s as %s', (name, type) => {
      const field = fieldAt(entity, name)
      expect(field === undefined ? 'no such field' : typeOf(field)).toBe(type)
      expect(field?.hidden).toBe(false)
    })
    test('nothing that the specification does not list', () => {
      const names = visibleFields(entity).map(({ name }) => name)
      expect(names.filter((name) => !(name in wanted))).toEqual([])
    })
    test('every field with a description', () => {
      expect(undescribed(fieldsOf(entity))).toEqual([])
    })
  })
}

const undescribed = (fields: readonly Field[]): string[] =>
  fields.flatMap((field) => [...(field.description ? [] : [field.path]), ...undescribed(field.fields ?? [])])

/** Words for people in a JSON schema, and what the type of a field says already. */
const unbounded = new Set(['$schema', 'type', 'description', 'title', 'examples', 'format', 'enum', 'items'])

/** A field in one line: its type, `?` if it is optional, and its bounds. */
function lineOf(field: Shape): string {
  const bounds = Object.entries(jsonSchemaOf(field.schema)).filter(([name]) => !unbounded.has(name))
  const words = bounds.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return [`${typeOf(field)}${field.optional ? '?' : ''}`, ...words].join(' ')
}

const linesOf = (fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field.name, lineOf(field)]))

const baseFields = ['id', 'workspace_id', 'created_date', 'updated_date']

/** Everything that a record type declares, except for its texts. */
export const entityLines = (entity: AnyEntity) => ({
  prefix: entity.idPrefix,
  stored: `in ${entity.store}, by ${entity.scope.by} in ${entity.scope.field}`,
  reads: entity.reads.join(' '),
  hidden: (entity.hidden ?? []).join(' '),
  sortable: entity.sortable.join(' '),
  indexes: indexesOf(entity).map(({ name }) => name),
  fields: linesOf(fieldsOf(entity).filter(({ name }) => !baseFields.includes(name))),
})

/** Everything that a command declares, except for its texts. */
export const commandLines = ({ input, positional = [], secrets = [] }: AnyCommand) => ({
  options: linesOf(shapeOf(input).fields ?? []),
  positional: positional.join(' '),
  secrets: secrets.join(' '),
})
