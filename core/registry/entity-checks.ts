import type { AnyEntity, IndexDeclaration } from '../contracts/entity'
import type { TableDeclaration } from '../contracts/plugin'
import type { StateMachine } from '../contracts/states'
import { isForeign } from '../kit'
import { type Field, fieldsOf } from '../kit/fields'
import { baseFields, plainKinds } from './foreign-checks'
import { tableOf } from './table-of'

/** MongoDB takes 64 indexes in a collection. The id, the default list and the scope have one each. */
const mostIndexes = 61

/** The parts of a record type that only name fields. */
const namingParts = [
  'hidden',
  'sealed',
  'opaque',
  'shared',
  'readableByPlugins',
  'immutable',
  'seldom',
  'exceptSet',
] as const

/** Returns the paths of fields that the declaration about people names. */
function personPaths({ people = 'nobody' }: AnyEntity): string[] {
  if (people === 'nobody') return []
  const { who = {}, through = [], words = [], erase, packed = [] } = people
  const erased = typeof erase === 'object' ? Object.keys(erase) : []
  return [...Object.values(who).flat(2), ...through.map(({ field }) => field), ...words, ...packed, ...erased]
}

/** Returns what is wrong with a record type. Its name is checked with those of the other declarations. */
export function entityFaults(entity: AnyEntity): string[] {
  const at = `entity ${entity.name}`
  if (isForeign(entity)) return [`${at} belongs to another plugin: list it under reads, not entities`]
  const faults = formFaults(entity)
  const fields = new Map(fieldsOf(entity).map((field) => [field.name, field]))
  const known = (where: string, name: string) => {
    const field = fields.get(name.replace(/^-/, ''))
    if (!field) faults.push(`${at}: ${where} names ${name}, which is not a field`)
    return field
  }
  known('scope', entity.scope.field)
  if (entity.scope.by === 'self') known('the scope self', 'agency_id')
  if (entity.defaultSort) known('defaultSort', entity.defaultSort)
  if (entity.periodField) {
    const field = known('periodField', entity.periodField)
    refuse(field, [], 'the date of a period')
    if (field && field.kind !== 'day' && field.kind !== 'instant')
      faults.push(`${at}: ${field.name} is ${field.kind} and cannot be the date of a period`)
  }
  for (const part of namingParts) for (const name of entity[part] ?? []) known(part, name)
  for (const name of Object.keys(entity.except ?? {})) known('except', name)
  for (const path of personPaths(entity)) known('people', path.split('.')[0] ?? '')
  for (const one of entity.usual ?? []) {
    if (one.op === 'eq' || one.op === 'ne') known('usual', one.field)
    else faults.push(`${at}: usual takes where.eq and where.ne`)
  }
  const { names = [], domains = [], shown = [] } = entity.namedIn ?? {}
  for (const name of [...names, ...domains, ...shown]) known('namedIn', name)
  for (const name of entity.counts?.by ?? []) {
    refuseKinds(known('counts', name), ['array', 'object', 'number', 'integer'], 'counted by')
  }
  for (const name of entity.counts?.bySet ?? []) {
    refuseKinds(known('counts', name), ['array', 'object'], 'counted by')
  }
  for (const name of entity.sealed ?? []) {
    const field = fields.get(name)
    if (field && (field.kind !== 'string' || !field.hidden))
      faults.push(`${at}: ${name} is sealed and must be a hidden text`)
  }
  for (const name of entity.personal ?? []) {
    const field = known('personal', name)
    if (field && !field.optional) faults.push(`${at}: ${name} is personal and must be optional`)
  }
  const { length: indexes } = entity.indexes ?? []
  if (indexes > mostIndexes) faults.push(`${at}: ${indexes} indexes, of at most ${mostIndexes}`)
  for (const index of entity.indexes ?? []) {
    faults.push(...tenantlessFaults(at, entity, index))
    for (const name of [...index.on, ...Object.keys(index.where ?? {})]) known('an index', name)
  }
  for (const name of entity.sortable) refuse(known('sortable', name), ['array', 'object'], 'sorted on')
  for (const name of entity.searchable ?? []) {
    const field = known('searchable', name)
    const kind = field?.kind === 'array' ? field.element?.kind : field?.kind
    if (field && kind !== 'string') faults.push(`${at}: ${name} is ${kind} and cannot be searched`)
    refuse(field, [], 'searched')
  }
  return [...faults, ...sumFaults(at, entity, fields), ...baseFaults(at, fields)]

  function refuse(field: Field | undefined, kinds: readonly string[], what: string) {
    if (!field) return
    if (field.hidden) faults.push(`${at}: ${field.name} is hidden and cannot be ${what}`)
    refuseKinds(field, kinds, what)
  }

  function refuseKinds(field: Field | undefined, kinds: readonly string[], what: string) {
    if (field && kinds.includes(field.kind))
      faults.push(`${at}: ${field.name} is ${field.kind} and cannot be ${what}`)
  }
}

/** Returns what is wrong with the sums by day of a record type. */
function sumFaults(at: string, { daySums }: AnyEntity, fields: ReadonlyMap<string, Field>): string[] {
  if (!daySums) return []
  const { on, by, values, set } = daySums
  const unknown = [on, ...by, ...values, ...set].filter((name) => !fields.has(name))
  const odd = [...by, ...values].filter((name) =>
    ['array', 'object', 'number'].includes(fields.get(name)?.kind ?? ''),
  )
  const day = fields.get(on)
  return [
    ...unknown.map((name) => `${at}: daySums names ${name}, which is not a field`),
    ...odd.map((name) => `${at}: ${name} is ${fields.get(name)?.kind} and cannot be summed by`),
    ...(day && day.kind !== 'instant' ? [`${at}: ${on} is ${day.kind} and cannot be the day of sums`] : []),
  ]
}

/** Returns what is wrong with the state machines of a record type. Each must match a field of it, value by value. */
export function stateFaults(plugin: string, entity: AnyEntity): string[] {
  return (entity.states ?? []).flatMap((machine) => {
    const at = `${plugin}: states of ${machine.entity}.${machine.field}`
    if (machine.entity !== entity.name) return [`${at}: they are listed in ${entity.name}`]
    return machineFaults(machine, entity).map((fault) => `${at}: ${fault}`)
  })
}

/** Returns record types that share a prefix of ids. */
export function prefixClashes(entities: ReadonlyMap<string, AnyEntity>): string[] {
  const owner = new Map<string, string>()
  const faults: string[] = []
  for (const { name, idPrefix, store } of entities.values()) {
    const first = owner.get(idPrefix)
    if (first === undefined) owner.set(idPrefix, name)
    else if (store === 'documents')
      faults.push(`entities ${first} and ${name} share the id prefix ${idPrefix}`)
  }
  return faults
}

/** Returns record types that are served from a table that nobody declares. */
export function tableless(
  entities: ReadonlyMap<string, AnyEntity>,
  tables: ReadonlyMap<string, TableDeclaration>,
): string[] {
  return [...entities.values()]
    .filter((entity) => entity.store === 'columns' && !tables.has(tableOf(entity)))
    .map(
      (entity) => `entity ${entity.name} is served from columns, and no table ${tableOf(entity)} is declared`,
    )
}

/** Checks that a unique index applies within a tenant, or declares that it does not. */
function tenantlessFaults(at: string, { scope }: AnyEntity, index: IndexDeclaration): string[] {
  const { on, unique, unsafeUniqueAcrossTenants: acrossTenants } = index
  if (unique && acrossTenants)
    return [`${at}: an index says unique and unsafeUniqueAcrossTenants: name one of them`]
  const isClamped = scope.by !== 'agency' && scope.by !== 'self'
  const hasTenant = on.some((name) => ['workspace_id', 'agency_id'].includes(name.replace(/^-/, '')))
  if (!unique || isClamped || hasTenant) return []
  return [
    `${at}: the unique index on ${on.join(', ')} spans tenants: add workspace_id or agency_id to it, or replace unique by unsafeUniqueAcrossTenants`,
  ]
}

/** Returns what is wrong with what an entity says about itself, without its fields. */
function formFaults({ name, idPrefix, store, scope, reads }: AnyEntity): string[] {
  const at = `entity ${name}`
  const faults: string[] = []
  if (!/^[a-z]{3}$/.test(idPrefix)) faults.push(`${at}: id prefix "${idPrefix}" must be three letters`)
  if (!['documents', 'columns'].includes(store)) faults.push(`${at}: unknown store ${store}`)
  if (!['workspace', 'location', 'site', 'self', 'agency'].includes(scope.by)) {
    faults.push(`${at}: unknown scope ${scope.by}`)
  }
  if (scope.by === 'agency' && reads.length > 0) {
    faults.push(`${at} is not in a workspace and cannot be offered: reads must be empty`)
  }
  for (const read of reads) {
    if (read !== 'list' && read !== 'get') faults.push(`${at}: unknown read ${String(read)}`)
  }
  return faults
}

/** Returns which of the fields that every reader has are no strings. */
const baseFaults = (at: string, fields: ReadonlyMap<string, Field>): string[] =>
  baseFields
    .map((name) => fields.get(name))
    .filter((field) => field !== undefined && plainKinds[field.kind] !== 'string')
    .map((field) => `${at}: ${field?.name} must stay a string`)

function machineFaults(machine: StateMachine, entity: AnyEntity): string[] {
  const fields = new Map(fieldsOf(entity).map((field) => [field.name, field]))
  const states = Object.keys(machine.moves)
  const values = fields.get(machine.field)?.values ?? []
  const faults: string[] = []
  if (states.toSorted().join() !== values.map(String).toSorted().join()) {
    faults.push(
      `the states are ${states.join(', ')}, but the field accepts ${values.join(', ') || 'no list of values'}`,
    )
  }
  const named = [...machine.initial, ...Object.values(machine.moves).flat()]
  const marked = [machine.needs, machine.clears].flatMap((map) => Object.keys(map ?? {}))
  const stamped = Object.keys(machine.stamps ?? {}).filter((state) => state !== 'every')
  for (const state of [...named, ...marked, ...stamped]) {
    if (!states.includes(state)) faults.push(`${state} is not a state`)
  }
  if (machine.initial.length === 0) faults.push('no state is initial')
  for (const name of Object.values(machine.stamps ?? {}) as string[]) {
    if (fields.get(name)?.kind !== 'instant')
      faults.push(`sets ${name}, which is not a date field of the entity`)
  }
  for (const name of [...Object.values(machine.needs ?? {}), ...Object.values(machine.clears ?? {})].flat()) {
    if (name !== undefined && !fields.has(name))
      faults.push(`names ${name}, which is not a field of the entity`)
  }
  return faults
}
