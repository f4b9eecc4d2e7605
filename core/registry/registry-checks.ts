import * as v from 'valibot'
import type { AnyEntity, IndexDeclaration } from '../contracts/entity'
import { type AnyOperation, operationClasses } from '../contracts/operation'
import type { AnyPage } from '../contracts/page'
import type { PluginDeclaration, TableDeclaration } from '../contracts/plugin'
import type { PublicPageDeclaration } from '../contracts/public-page'
import { settings } from '../contracts/settings'
import { isForeign, writesOf } from '../kit'
import { foreignUsesOf } from '../kit/declared-at'
import { type Field, fieldsOf } from '../kit/fields'
import { version } from '../process/version'
import { connectionFaults } from './connections'
import { deprecationFaults } from './deprecations'
import { stateFaults } from './state-checks'

const forms = {
  plugin: [/^[a-z][a-z0-9-]*$/, 'kebab-case'],
  entity: [/^[A-Z][A-Za-z0-9]*$/, 'PascalCase'],
  operation: [/^[a-z][A-Za-z0-9]*$/, 'camelCase'],
  field: [/^[a-z][a-z0-9_]*$/, 'snake_case'],
  command: [/^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$/, 'lower-case words'],
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
  for (const { name } of plugin.commands ?? []) named('command', name)
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

/** Checks that the foreign entities of a plugin exist, with these fields and kinds. */
export function foreignFaults(
  all: readonly PluginDeclaration[],
  entities: ReadonlyMap<string, AnyEntity>,
): string[] {
  return all.flatMap((plugin) =>
    (plugin.reads ?? []).flatMap((foreign) =>
      foreignMismatch(foreign, entities).map((fault) => `${plugin.name}: ${fault}`),
    ),
  )
}

/**
 * Returns entities of other plugins that a plugin uses but does not list under `reads`. They were not checked at
 * start.
 */
export const undeclaredReads = (plugins: readonly PluginDeclaration[]): string[] =>
  plugins.flatMap((plugin) =>
    foreignUsesOf(plugin)
      .filter(({ entity }) => !plugin.reads?.includes(entity))
      .map(
        ({ entity, file }) =>
          `${plugin.name}: ${file} names ${entity.name} by foreignEntity. List it under \`reads\` of the plugin`,
      ),
  )

/** Returns how a foreign entity differs from the loaded entity with its name. */
export function foreignMismatch(foreign: AnyEntity, entities: ReadonlyMap<string, AnyEntity>): string[] {
  const real = entities.get(foreign.name)
  if (!real) return [`reads entity ${foreign.name}, which no loaded plugin declares`]
  const known = new Map(fieldsOf(real).map((field) => [field.name, field]))
  const open = new Set<string>([...(real.readableByPlugins ?? []), ...(real.shared ?? []), ...baseFields])
  const closed = new Set((real.hidden ?? []).filter((name) => !open.has(name)))
  const shared = new Set<string>(real.shared ?? [])
  const unshared = writesOf(foreign).filter((name) => !shared.has(name))
  const written = unshared.map((name) => `writes ${foreign.name}.${name}, which its plugin does not share`)
  const read = fieldsOf(foreign).flatMap(({ name, kind }) => {
    const field = known.get(name)
    if (closed.has(name)) return [`reads ${foreign.name}.${name}, which its plugin keeps to itself`]
    if (!field) return [`reads ${foreign.name}.${name}, which does not exist`]
    const alike = field.kind === kind || plainKinds[field.kind] === plainKinds[kind]
    return alike ? [] : [`reads ${foreign.name}.${name} as ${kind}, it is ${field.kind}`]
  })
  return [...read, ...written]
}

/** Fields that every reader has. */
const baseFields = ['id', 'workspace_id', 'created_date', 'updated_date'] as const

/** Compatible kinds: a reader may declare an instant as a string, and an integer as a number. */
const plainKinds: Readonly<Record<Field['kind'], string>> = {
  string: 'string',
  instant: 'string',
  day: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
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

function entityFaults(entity: AnyEntity): string[] {
  const at = `entity ${entity.name}`
  if (isForeign(entity)) return [`${at} belongs to another plugin: list it under reads, not entities`]
  const faults: string[] = []
  const fields = new Map(fieldsOf(entity).map((field) => [field.name, field]))
  const known = (where: string, name: string) => {
    const field = fields.get(name.replace(/^-/, ''))
    if (!field) faults.push(`${at}: ${where} names ${name}, which is not a field`)
    return field
  }
  if (!/^[a-z]{3}$/.test(entity.idPrefix))
    faults.push(`${at}: id prefix "${entity.idPrefix}" must be three letters`)
  if (!['documents', 'columns'].includes(entity.store)) faults.push(`${at}: unknown store ${entity.store}`)
  if (!['workspace', 'location', 'site', 'self', 'agency'].includes(entity.scope.by)) {
    faults.push(`${at}: unknown scope ${entity.scope.by}`)
  }
  if (entity.scope.by === 'agency' && entity.reads.length > 0) {
    faults.push(`${at} is not in a workspace and cannot be offered: reads must be empty`)
  }
  for (const read of entity.reads) {
    if (read !== 'list' && read !== 'get') faults.push(`${at}: unknown read ${String(read)}`)
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
  for (const name of ['id', 'workspace_id', 'created_date', 'updated_date']) {
    const field = fields.get(name)
    if (field && plainKinds[field.kind] !== 'string') faults.push(`${at}: ${name} must stay a string`)
  }
  return faults

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

function operationFaults(operation: AnyOperation): string[] {
  const at = `operation ${operation.name}`
  const faults: string[] = []
  if (!operationClasses.includes(operation.class)) {
    faults.push(
      `${at}: class ${String(operation.class)} is not allowed. Use one of ${operationClasses.join(', ')}`,
    )
  }
  if (operation.crossAgency !== 'allowed' && operation.crossAgency !== 'own') {
    faults.push(`${at}: crossAgency must be allowed or own`)
  }
  const input = operation.input as v.GenericSchema & { entries?: Record<string, unknown> }
  if (input?.type !== 'strict_object') faults.push(`${at}: its input must be a v.strictObject`)
  else if (input.entries && 'dry_run' in input.entries)
    faults.push(`${at}: dry_run is reserved for the gateway`)
  if (!v.isOfKind('schema', operation.output ?? ({} as never))) faults.push(`${at} has no output schema`)
  if (typeof operation.run !== 'function') faults.push(`${at} has no run function`)
  return faults
}

/** Addresses under /app that are not pages. */
const reserved = ['assets', 'data', 'events']

function pageFaults({ path, module, actions = {}, submit, record, cards, isStatic }: AnyPage): string[] {
  const at = `page ${path}`
  const faults: string[] = []
  if (reserved.includes(path.split('/')[2] ?? '')) faults.push(`${at} is under an address that core uses`)
  if (module.protocol !== 'file:' || !/\.[jt]sx$/.test(module.pathname))
    faults.push(`${at}: module must be a .tsx or .jsx file`)
  if (cards && !(record && isStatic)) faults.push(`${at}: a page with cards must have record and isStatic`)
  for (const [name, { input, auth }] of Object.entries({ ...actions, ...(submit && { submit }) })) {
    if (input.type !== 'strict_object')
      faults.push(`${at}: the input of action ${name} must be a v.strictObject`)
    if (auth !== 'session' && auth !== 'recent')
      faults.push(`${at}: auth of action ${name} must be session or recent`)
  }
  return faults
}

function publicPageFaults(name: string, { page, files }: PublicPageDeclaration): string[] {
  const at = `public page ${name}`
  if (!page && !files) return [`${at} has neither a page nor files`]
  const { module, submit } = page ?? {}
  const isModule = !module || (module.protocol === 'file:' && /\.[jt]sx$/.test(module.pathname))
  return [
    ...(isModule ? [] : [`${at}: module must be a .tsx or .jsx file`]),
    ...(submit && submit.input.type !== 'strict_object'
      ? [`${at}: the input of its form must be a v.strictObject`]
      : []),
  ]
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
