import type { AnyEntity, NewRow } from 'renown'
import { fieldsOf } from '../../core/kit/fields'
import { exampleOf, plainTexts } from '../../core/registry/examples'

/**
 * A row of an entity that its schemas accept, made from the declaration: required and hidden fields are filled, all if it
 * `isWhole`. Texts hold the first of the marks that they accept. Throws where a field takes nothing that could
 * be guessed: hand in a sample of your own then. The times after which a store deletes rows are far in the future.
 */
export function sampleRow(
  entity: AnyEntity,
  mark: string | readonly string[],
  isWhole = false,
): NewRow<AnyEntity> {
  const style = { texts: () => [mark, plainTexts].flat(), isWhole }
  const row: Record<string, unknown> = {}
  const ends = new Set(
    entity.indexes?.flatMap(({ on, ttlSeconds }) => (ttlSeconds === undefined ? [] : [String(on[0])])),
  )
  for (const field of fieldsOf(entity)) {
    if (['id', 'workspace_id', 'created_date', 'updated_date'].includes(field.name)) continue
    if (field.optional && !field.hidden && !isWhole) continue
    const value = exampleOf(field, style)
    if (value === undefined && field.optional) continue
    if (value === undefined) {
      throw new Error(
        `No value of ${entity.name}.${field.name} can be guessed: hand testPlugin a sample of the entity`,
      )
    }
    row[field.name] = ends.has(field.name) ? '2999-12-31T00:00:00.000Z' : value
  }
  return row as NewRow<AnyEntity>
}
