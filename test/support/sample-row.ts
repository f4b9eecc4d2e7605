import type { AnyEntity, NewRow } from 'renown'
import * as v from 'valibot'
import { type Field, fieldsOf, type Shape } from '../../core/fields'

const words = [
  'https://example.com/page',
  'example.com',
  'person@example.com',
  'Europe/Madrid',
  'en',
  'ES',
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
]

/**
 * A row of an entity that its schemas accept, made from the declaration: required and hidden fields are filled, texts hold
 * `mark` where they can. Throws where a field takes nothing that could be guessed: hand in a sample of your own then.
 */
export function sampleRow(entity: AnyEntity, mark: string): NewRow<AnyEntity> {
  const row: Record<string, unknown> = {}
  for (const field of fieldsOf(entity)) {
    if (['id', 'workspace_id', 'created_date', 'updated_date'].includes(field.name)) continue
    if (field.optional && !field.hidden) continue
    row[field.name] = guess(field, mark, `${entity.name}.${field.name}`)
  }
  return row as NewRow<AnyEntity>
}

function guess(shape: Shape, mark: string, at: string): unknown {
  for (const candidate of candidates(shape, mark, at)) {
    if (v.is(shape.schema, candidate)) return candidate
  }
  throw new Error(`No value of ${at} can be guessed: hand testPlugin a sample of the entity`)
}

function candidates(shape: Shape, mark: string, at: string): readonly unknown[] {
  if (shape.values) return shape.values
  switch (shape.kind) {
    case 'string':
      return [mark, ...words]
    case 'number':
    case 'integer':
      return [1, 0, -1, 10, 100, 1000]
    case 'boolean':
      return [false, true]
    case 'instant':
      return ['2026-01-02T03:04:05.678Z']
    case 'day':
      return ['2026-01-02']
    case 'array':
      return [[], ...(shape.element ? [[guess(shape.element, mark, at)]] : [])]
    case 'object':
      return [...(shape.fields ? [filled(shape.fields, mark, at)] : []), {}]
  }
}

function filled(fields: readonly Field[], mark: string, at: string) {
  const needed = fields.filter(({ optional }) => !optional)
  return Object.fromEntries(needed.map((field) => [field.name, guess(field, mark, `${at}.${field.name}`)]))
}
