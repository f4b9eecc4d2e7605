import * as v from 'valibot'
import type { AnyEntity, IndexDeclaration } from '../contracts/entity'
import type { PluginDeclaration, TableDeclaration } from '../contracts/plugin'
import { settings } from '../contracts/settings'
import { isForeign } from '../kit'
import { type Field, fieldsOf } from '../kit/fields'
import { version } from '../process/version'
import { commandNameFault } from './command-grammar'
import { connectionFaults } from './connections'
import { deprecationFaults } from './deprecations'
import { baseFields, plainKinds } from './foreign-checks'
import { operationFaults } from './operation-checks'
import { pageFaults, publicPageFaults } from './page-checks'
import { stateFaults } from './state-checks'

const forms = {
  plugin: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  entity: [/^[A-Z][A-Za-z0-9]*$/, 'PascalCase'],
  operation: [/^[a-z][A-Za-z0-9]*$/, 'camelCase'],
  field: [/^[a-z][a-z0-9_]*$/, 'snake_case'],
  job: [/^[a-z][A-Za-z0-9-]*$/, 'camelCase or kebab-case'],
  queue: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  feed: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  receiver: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  'public page': [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  upload: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  'public file': [/^[a-z][a-z0-9-]*\.[a-z]{2,5}$/, 'kebab-case with an ending, such as rss.xml'],
  prompt: [/^[a-z][a-z0-9_]{0,39}$/, 'snake_case of at most 40 characters'],
  table: [/^[a-z][a-z0-9_]*$/, 'snake_case'],
  page: [/^\/app(\/[a-z][a-z0-9-]*)+$/, '/app/ and words in kebab-case'],
  action: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  topic: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  setting: [/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/, 'UPPER_SNAKE_CASE'],
  connection: [/^[a-z][a-z0-9-]{0,39}$/, 'kebab-case of at most 40 characters'],
  'extension point': [/^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/, '<domain>.<noun>'],
} as const

/** Returns what is wrong inside one plugin, or between its requirements and the loaded plugins. */
export function pluginFaults(plugin: PluginDeclaration, all: readonly PluginDeclaration[]): string[] {
  const faults: string[] = []
  const named = (kind: keyof typeof forms, name: string) => {
    const [pattern, words] = forms[kind]
    if (!pattern.test(String(name))) faults.push(`${plugin.name}: ${kind} name "${name}" is not ${words}`)
  }
  named('plugin', plugin.name)
  if (!/[\d*]/.test(plugin.renown ?? '') || !Bun.semver.satisfies(version, plugin.renown)) {
    faults.push(`${plugin.name} works with renown ${plugin.renown}, but this is ${version}`)
  }
  for (const need of plugin.needs ?? []) {
    if (!all.some(({ name }) => name === need))
      faults.push(`${plugin.name} needs the plugin ${need}, which is not loaded`)
  }
  for (const entity of plugin.entities ?? []) {
    named('entity', entity.name)
    for (const name of Object.keys(entity.fields ?? {})) named('field', name)
    faults.push(...entityFaults(entity))
  }
  for (const operation of plugin.operations ?? []) {
    named('operation', operation.name)
    faults.push(...operationFaults(operation))
  }
  for (const { name } of plugin.commands ?? []) {
    const fault = commandNameFault(name)
    if (fault !== null) faults.push(`${plugin.name}: command name "${name}" ${fault}`)
  }
  for (const { name } of plugin.prompts ?? []) named('prompt', name)
  for (const [name, job] of Object.entries(plugin.jobs ?? {})) {
    named('job', name)
    if (!(job.everyMs > 0)) faults.push(`job ${name}: everyMs must be above 0`)
  }
  for (const [name, queue] of Object.entries(plugin.queues ?? {})) {
    named('queue', name)
    for (const limit of ['attemptsMax', 'atOnce'] as const) {
      if (!((queue[limit] ?? 1) >= 1)) faults.push(`queue ${name}: ${limit} must be at least 1`)
    }
  }
  for (const name of Object.keys(plugin.feeds ?? {})) named('feed', name)
  for (const name of Object.keys(plugin.receivers ?? {})) named('receiver', name)
  for (const [name, page] of Object.entries(plugin.publicPages ?? {})) {
    named('public page', name)
    for (const file of Object.keys(page.files ?? {})) named('public file', file)
    faults.push(...publicPageFaults(name, page))
  }
  for (const name of Object.keys(plugin.uploads ?? {})) named('upload', name)
  for (const page of plugin.pages ?? []) {
    named('page', page.path)
    for (const name of Object.keys(page.actions ?? {})) named('action', name)
    if (page.record) named('field', page.record.param)
    for (const name of Object.keys(page.events ?? {})) named('topic', name)
    faults.push(...pageFaults(page))
  }
  for (const [name, { schema, fallback }] of Object.entries(plugin.settings?.declared ?? {})) {
    named('setting', name)
    if (Object.hasOwn(settings, name))
      faults.push(`${plugin.name}: the setting ${name} already belongs to core`)
    if (!v.safeParse(schema, fallback).success)
      faults.push(`the default of setting ${name} does not match its schema`)
  }
  for (const { id } of plugin.extensionPoints ?? []) named('extension point', id)
  for (const table of plugin.tables ?? []) {
    named('table', table.name)
    faults.push(...tableFaults(table))
  }
  for (const { provider } of plugin.connections ?? []) named('connection', provider)
  faults.push(...connectionFaults(plugin))
  return [...faults, ...migrationFaults(plugin), ...stateFaults(plugin), ...deprecationFaults(plugin)]
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

function entityFaults(entity: AnyEntity): string[] {
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
  for (const name of [...(entity.hidden ?? []), ...(entity.opaque ?? [])]) known('hidden or opaque', name)
  for (const name of [...(entity.shared ?? []), ...(entity.readableByPlugins ?? [])])
    known('shared or readableByPlugins', name)
  for (const name of entity.immutable ?? []) known('immutable', name)
  for (const name of entity.seldom ?? []) known('seldom', name)
  for (const name of [...Object.keys(entity.except ?? {}), ...(entity.exceptSet ?? [])]) known('except', name)
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
  for (const name of entity.personal ?? []) {
    const field = known('personal', name)
    if (field && !field.optional) faults.push(`${at}: ${name} is personal and must be optional`)
  }
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
  return [...faults, ...baseFaults(at, fields)]

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

function tableFaults({ name, columns, orderBy }: TableDeclaration): string[] {
  return orderBy
    .filter((column) => !Object.hasOwn(columns, column))
    .map((column) => `table ${name}: orderBy names ${column}, which is not a column`)
}

function migrationFaults({ name, migrations = [] }: PluginDeclaration): string[] {
  const seen = new Set<number>()
  return migrations.flatMap(({ version: number }) => {
    const twice = seen.has(number)
    seen.add(number)
    if (!Number.isSafeInteger(number) || number < 1)
      return [`${name}: migration version ${number} is not a whole number`]
    return twice ? [`${name}: two migrations of version ${number}`] : []
  })
}
