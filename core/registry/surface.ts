import type { Deprecation } from '../contracts/deprecation'
import type { AnyEntity } from '../contracts/entity'
import { type AnyOperation, type OperationClass, operationClasses } from '../contracts/operation'
import { type Field, type FieldKind, periodFieldOf, shapeOf, visibleFields } from '../kit/fields'
import { oncePer } from '../kit/once-per'
import { ownWordsOf } from '../kit/published-words'
import { asFilter, usualRows } from '../kit/usual-rows'
import { wordsOf } from '../kit/words'
import { version } from '../process/version'
import type { PublishedKey } from './kinds'
import type { Registry } from './registry'

export interface SurfaceField {
  readonly name: string
  readonly type: FieldKind
  readonly description?: string
  readonly values?: readonly (string | number | boolean)[]
  readonly nullable?: true
  readonly optional?: true
  readonly deprecated?: Deprecation
  /**
   * For a text that Renown writes: `ours` is any text, `code` one word, such as an id. Answers to agents mark all other
   * texts, which anybody may have written.
   */
  readonly words?: 'ours' | 'code'
  /** The kind of an array's elements. */
  readonly element?: FieldKind
  /** The declared entries of an object, or of an array's objects. */
  readonly fields?: readonly SurfaceField[]
  /** How `q` and `sort` can use the field. */
  readonly filter?: 'none' | 'compare' | 'search'
  readonly sortable?: true
}

export interface SurfaceEntity {
  readonly name: string
  readonly summary: string
  /** What Renown cannot do with it yet, as sentences. */
  readonly not_yet?: string
  readonly deprecated?: Deprecation
  readonly reads: readonly ('list' | 'get')[]
  readonly default_sort: string
  /** The date that a period of aggregateRecords is about, unless the caller names another. */
  readonly period_field: string
  /** Lists omit rows with these values unless `q` names the field. */
  readonly default_except: Readonly<Record<string, unknown>>
  /** Lists always omit rows in which these fields have a value. */
  readonly always_except_set: readonly string[]
  /** The filter of rows that figures count. Absent: all rows of lists. */
  readonly usual_q?: Readonly<Record<string, unknown>>
  readonly fields: readonly SurfaceField[]
}

export interface SurfaceOperation {
  readonly name: string
  readonly summary: string
  /** What Renown cannot do with it yet, as sentences. */
  readonly not_yet?: string
  readonly deprecated?: Deprecation
  readonly class: string
  readonly scope: 'read' | 'write'
  readonly cross_agency: 'allowed' | 'own'
  readonly idempotency_key: boolean
  readonly dry_run: boolean
  readonly input: readonly SurfaceField[]
  readonly output: readonly SurfaceField[]
}

export interface SurfaceEventType {
  readonly name: string
  readonly summary: string
  /** The fields of its data. */
  readonly data: readonly SurfaceField[]
  readonly example: Readonly<Record<string, unknown>>
}

/** All that a caller can use, sorted by name, and a digest that changes with it. */
export interface Surface {
  readonly version: string
  readonly surface_hash: string
  readonly entities: readonly SurfaceEntity[]
  readonly operations: readonly SurfaceOperation[]
  /** The types of events that `GET /api/events` and webhooks have. */
  readonly events: readonly SurfaceEventType[]
}

/** Returns the surface of a registry. */
export const surfaceOf: (registry: Registry) => Surface = oncePer(deriveSurface)

function deriveSurface(registry: Registry): Surface {
  const entities = printed.entities(registry).toSorted(byName)
  const operations = printed.operations(registry).toSorted(byName)
  const events = printed.events(registry).toSorted(byName)
  const digest = new Bun.CryptoHasher('sha256').update(
    JSON.stringify({ version, entities, operations, events }),
  )
  return { version, surface_hash: digest.digest('hex'), entities, operations, events }
}

/** The kinds that the table publishes, as callers see them. */
const printed: { readonly [K in PublishedKey]: (registry: Registry) => Surface[K] } = {
  entities: (registry) =>
    [...registry.entities.values()]
      .filter(isOffered)
      .map((entity) => ({ ...entityOf(entity), ...notYetOf(registry, 'entity', entity.name) })),
  operations: (registry) =>
    [...registry.operations.values()].map((operation) => ({
      ...operationOf(operation),
      ...notYetOf(registry, 'operation', operation.name),
    })),
  events: (registry) =>
    [...registry.eventTypes.values()].map(({ name, summary, data, example }) => ({
      name,
      summary,
      data: entriesOf(data).map(describe),
      example,
    })),
}

function notYetOf(registry: Registry, kind: 'entity' | 'operation', name: string): { not_yet?: string } {
  const not_yet = registry.notYetOf(kind, name)
  return not_yet === undefined ? {} : { not_yet }
}

/** Whether callers can read an entity at all. */
export const isOffered = (entity: AnyEntity): boolean => entity.reads.length > 0

/** Returns the scope that an operation requires: `read` for reads, `write` for all others. */
export const scopeOf = (operation: AnyOperation): 'read' | 'write' =>
  operation.class === 'read' ? 'read' : 'write'

const effects: Readonly<Record<OperationClass, string | null>> = {
  read: null,
  draft: 'save drafts',
  queue: 'queue reports',
  setup: 'set up what is missing',
  mark: 'mark records as seen or read',
}

/** Returns what operations can write, as text for the consent page and for models. */
export function writesOf(operations: Iterable<{ readonly class: string; readonly name?: string }>): string {
  const all = [...operations]
  const words = operationClasses.flatMap((one) =>
    all.some((operation) => operation.class === one) ? (effects[one] ?? []) : [],
  )
  if (all.some(({ name }) => name === 'proposeChange')) words.push('propose changes that people approve')
  return new Intl.ListFormat('en').format(words) || 'nothing'
}

/** Returns the fields of an operation's input or output. */
export const entriesOf = (schema: AnyOperation['input']): readonly Field[] => shapeOf(schema).fields ?? []

function entityOf(entity: AnyEntity): SurfaceEntity {
  return {
    name: entity.name,
    summary: entity.summary,
    ...announced(entity),
    reads: [...entity.reads].sort().reverse(),
    default_sort: entity.defaultSort ?? '-created_date',
    period_field: periodFieldOf(entity),
    default_except: entity.except ?? {},
    always_except_set: entity.exceptSet ?? [],
    ...(entity.usual ? { usual_q: asFilter(usualRows(entity)) } : {}),
    fields: visibleFields(entity).map((field) => ({
      ...describe(field),
      filter: filterOf(field),
      ...(field.sortable ? { sortable: true as const } : {}),
    })),
  }
}

function operationOf(operation: AnyOperation): SurfaceOperation {
  const writes = operation.class !== 'read'
  return {
    name: operation.name,
    summary: operation.summary,
    ...announced(operation),
    class: operation.class,
    scope: scopeOf(operation),
    cross_agency: operation.crossAgency,
    idempotency_key: writes,
    dry_run: writes,
    input: entriesOf(operation.input).map(given),
    output: entriesOf(operation.output).map(describe),
  }
}

const filterOf = (field: Field) => (field.opaque ? 'none' : field.searchable ? 'search' : 'compare')

/** What callers write is theirs. */
const given = (field: Field): SurfaceField => plain(field, given)

const describe = (field: Field): SurfaceField => ({ ...plain(field, describe), ...ownTextOf(field) })

function plain(field: Field, inside: (field: Field) => SurfaceField): SurfaceField {
  const entries = field.fields ?? field.element?.fields
  return {
    name: field.name,
    type: field.kind,
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.values ? { values: field.values } : {}),
    ...(field.nullable ? { nullable: true as const } : {}),
    ...(field.optional ? { optional: true as const } : {}),
    ...announced(field),
    ...(field.element ? { element: field.element.kind } : {}),
    ...(entries?.length ? { fields: entries.map(inside) } : {}),
  }
}

/** Says that Renown writes a text. Closed lists and dates say it themselves. */
function ownTextOf({ schema, element, ...field }: Field): Pick<SurfaceField, 'words'> {
  const { kind, values } = element ?? field
  const words = kind === 'string' && !values ? ownWordsOf(wordsOf(schema)) : undefined
  return words ? { words } : {}
}

const announced = ({ deprecated }: { readonly deprecated?: Deprecation }) =>
  deprecated ? { deprecated } : {}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
