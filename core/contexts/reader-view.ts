import type { EntryGroupQuery, GroupQuery, ListQuery } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { Where } from '../contracts/where'
import { fieldsOf, headOf } from '../kit/fields'
import { oncePer } from '../kit/once-per'
import type { Document } from '../stores/documents/port'

/** What a reader may see of an entity: which fields it may name, and which parts of a row. */
export interface ReaderView {
  /**
   * Throws if a query names a field that the reader may not read. Every query of a plugin is checked here.
   */
  check(query: ReadQuery): void
  /**
   * Returns the fields of a list that the reader gets. Throws for a name that the entity does not declare.
   */
  chosen(wanted: readonly string[]): readonly string[]
  shown(row: Document): object
}

type ReadQuery = ListQuery &
  Partial<Pick<GroupQuery, 'by' | 'measures'>> & { readonly fields?: readonly string[] }

/**
 * Returns the view of a reader with `entity`, which is `target` itself or another plugin's declaration of the fields
 * it needs. `withheldFields` are the fields that the workspace hides.
 */
export function readerView(
  entity: AnyEntity,
  target: AnyEntity = entity,
  withheldFields: readonly string[] = [],
): ReaderView {
  if (withheldFields.length > 0) return createView(entity, target, withheldFields)
  return wholeView(entity)(target)
}

/** A view without withheld fields. Each request needs one for each record type that it reads. */
const wholeView = oncePer((entity: AnyEntity) =>
  oncePer((target: AnyEntity) => createView(entity, target, [])),
)

function createView(entity: AnyEntity, target: AnyEntity, withheldFields: readonly string[]): ReaderView {
  const declared = new Set(fieldsOf(target).map(({ name }) => name))
  const withheld = new Set(withheldFields)
  const names = new Set(
    fieldsOf(entity)
      .map(({ name }) => name)
      .filter((name) => !withheld.has(name)),
  )
  const check = (name: string) => {
    if (names.has(name)) return
    if (!withheld.has(name)) throw new Error(`${target.name} has no readable field ${name}`)
    throw new Refusal(
      'invalid_filter',
      `This workspace hides contact details: ${target.name}.${name} cannot be filtered, sorted, stamped or grouped by.`,
    )
  }
  const isWhole = entity === target && withheld.size === 0
  return {
    check: (query) => {
      for (const path of namesIn(query)) check(headOf(path))
    },
    chosen: (wanted) => {
      const unknown = wanted.find((name) => !declared.has(name))
      if (unknown !== undefined) throw new Error(`${target.name} declares no field ${unknown}`)
      return wanted.filter((name) => names.has(name))
    },
    shown: isWhole ? (row) => row : (row) => pick(row, names),
  }
}

/** Returns the fields that a query of entries names. */
export const fieldsOfEntries = ({ of, by, measures }: EntryGroupQuery): string[] => [
  ...[of].flat(),
  ...by.filter((key) => typeof key === 'string'),
  ...measures.flatMap((measure) => ('field' in measure ? [measure.field] : [])),
]

function* namesIn({ where, sort = [], by = [], measures = [], fields = [] }: ReadQuery): Generator<string> {
  if (where) yield* namesOf(where)
  for (const { field } of sort) yield field
  for (const key of by) yield typeof key === 'string' ? key : key.field
  for (const { field } of measures) if (field !== undefined) yield field
  yield* fields
}

function* namesOf(tree: Where): Generator<string> {
  if ('field' in tree) yield tree.field
  else for (const part of [tree.of].flat()) yield* namesOf(part)
}

function pick(row: Document, names: Iterable<string>): object {
  const picked: Record<string, unknown> = {}
  for (const name of names) if (name in row) picked[name] = row[name]
  return picked
}
