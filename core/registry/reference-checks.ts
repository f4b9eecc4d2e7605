import * as v from 'valibot'
import type { AnyEntity } from '../contracts/entity'
import { type ReferenceMark, referenceMark } from '../contracts/field'
import type { PluginDeclaration } from '../contracts/plugin'
import { isForeign } from '../kit'
import { type Shape, shapeOf } from '../kit/fields'

/** Matches the name of an argument that looks like an id, or like a list of ids. */
const idLike = /(?:^|_)ids?$/

/** Returns the record types by the arguments that name their rows. */
export function argumentsIn(entities: Iterable<AnyEntity>): Map<string, AnyEntity[]> {
  const found = new Map<string, AnyEntity[]>()
  for (const entity of entities)
    for (const argument of entity.namedIn?.arguments ?? [])
      found.set(argument, [...(found.get(argument) ?? []), entity])
  return found
}

/** An argument whose name looks like an id, or that is declared as one. */
export interface IdLike {
  readonly path: readonly string[]
  readonly name: string
  readonly mark: ReferenceMark | undefined
  readonly isList: boolean
}

/** Yields the arguments of a schema that look like ids, also inside of objects and lists. */
export function* idsIn(shape: Shape, path: readonly string[] = []): Generator<IdLike> {
  for (const field of shape.fields ?? []) {
    const here = [...path, field.name]
    const mark = markOf(field.schema)
    if (mark !== undefined || idLike.test(field.name))
      yield { path: here, name: field.name, mark, isList: field.kind === 'array' }
    yield* idsIn(field, here)
    if (field.element) yield* idsIn(field.element, [...here, '*'])
  }
}

/** Returns the mark of a schema, also inside `v.optional` and `v.nullable`. */
export function markOf(schema: v.GenericSchema): ReferenceMark | undefined {
  const own = v.getMetadata(schema as Parameters<typeof v.getMetadata>[0])[referenceMark]
  if (own !== undefined) return own as ReferenceMark
  const { wrapped, pipe = [] } = schema as { wrapped?: v.GenericSchema; pipe?: readonly v.GenericSchema[] }
  const inner = wrapped ?? (pipe[0] === schema ? undefined : pipe[0])
  return inner?.kind === 'schema' ? markOf(inner) : undefined
}

/**
 * Returns the id-like arguments of operations that nobody declared. Without a declaration, an operation would answer with
 * zeros for an id that no record has.
 */
export function referenceFaults(plugins: readonly PluginDeclaration[]): string[] {
  const entities = new Map(
    plugins.flatMap((plugin) =>
      (plugin.entities ?? []).filter((one) => !isForeign(one)).map((one) => [one.name, one] as const),
    ),
  )
  // Without tenancy there are no callers, and nothing that ids are of.
  if (!entities.has('Workspace')) return []
  const known = argumentsIn(entities.values())
  return plugins.flatMap(({ operations = [] }) =>
    operations.flatMap(({ name: operation, input }) =>
      [...idsIn(shapeOf(input))].flatMap(({ path, name, mark }) => {
        const at = `operation ${operation}: ${path.join('.')}`
        if (mark && 'entity' in mark && entities.get(mark.entity)?.scope.by === 'agency')
          return [`${at} names ${mark.entity}, which is in no workspace`]
        if (mark && 'entity' in mark && !entities.has(mark.entity))
          return [`${at} names ${mark.entity}, which no loaded plugin declares`]
        if (mark || known.has(name.replace(/_ids$/, '_id'))) return []
        return [
          `${at} looks like an id. Say which record it names with field.reference, or with field.freeId why it names none`,
        ]
      }),
    ),
  )
}
