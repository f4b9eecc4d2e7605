import { describe, expect, test } from 'bun:test'
import type { AnyEntity } from '../../core/contracts/entity'
import { type Field, fieldAt, fieldsOf, type Shape, visibleFields } from '../../core/kit/fields'

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
