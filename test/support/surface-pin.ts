import type { Surface, SurfaceField } from '../../core/registry/surface'
import { shippedSurface } from './shipped'

/** The callable surface in few words, one line a field, so that a change of it reads well in a diff. */
export function surfacePin(
  { entities, operations }: Pick<Surface, 'entities' | 'operations'> = shippedSurface(),
) {
  return {
    entities: Object.fromEntries(
      entities.map((entity) => [
        entity.name,
        {
          ...leaving(entity),
          reads: entity.reads.join(' '),
          order: entity.default_sort,
          left_out: { ...entity.default_except, set: entity.always_except_set.join(' ') },
          fields: wordsOf(entity.fields),
        },
      ]),
    ),
    operations: Object.fromEntries(
      operations.map((operation) => [
        operation.name,
        {
          ...leaving(operation),
          class: operation.class,
          scope: operation.scope,
          cross_agency: operation.cross_agency,
          input: wordsOf(operation.input),
          output: wordsOf(operation.output),
        },
      ]),
    ),
  }
}

function wordsOf(fields: readonly SurfaceField[]): Record<string, string> {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      [
        field.values ? field.values.join('|') : field.type,
        field.optional && 'optional',
        field.nullable && 'nullable',
        field.filter && field.filter !== 'compare' && `filter:${field.filter}`,
        field.sortable && 'sortable',
        field.deprecated && `deprecated:${field.deprecated.since}/${field.deprecated.sunset}`,
      ]
        .filter(Boolean)
        .join(' '),
    ]),
  )
}

const leaving = ({ deprecated }: Pick<SurfaceField, 'deprecated'>) =>
  deprecated ? { deprecated: `${deprecated.since}/${deprecated.sunset}` } : {}
