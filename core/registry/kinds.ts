import * as v from 'valibot'
import type { ConnectionDeclaration } from '../contracts/connection'
import type { AnyEntity } from '../contracts/entity'
import type { AnyEventType } from '../contracts/event-type'
import type { AnyExtensionPoint } from '../contracts/extension'
import type { AnyOperation } from '../contracts/operation'
import type { AnyPage, EventsDeclaration } from '../contracts/page'
import type {
  AnyCommand,
  FeedDeclaration,
  JobDeclaration,
  OwnerContext,
  PluginDeclaration,
  PromptDeclaration,
  TableDeclaration,
} from '../contracts/plugin'
import type { PublicPageDeclaration, UploadDeclaration } from '../contracts/public-page'
import type { AnyQueue } from '../contracts/queue'
import type { ReceiverDeclaration } from '../contracts/receiver'
import type { SettingDeclaration } from '../contracts/setting'
import { settings as coreSettings } from '../contracts/settings'
import type { StateMachine } from '../contracts/states'
import { activeRows, activeWork } from './active-rows'
import { appFaults } from './app-checks'
import { commandNameFault } from './command-grammar'
import { connectionFaults } from './connections'
import { entityFaults, prefixClashes, stateFaults, tableless } from './entity-checks'
import { eventFaults, subscriberFaults } from './event-checks'
import { extensionFaults } from './extensions'
import { foreignFaults } from './foreign-checks'
import { fits } from './forms'
import type { Kind, KindKey, MapRule, NameForm, Rule } from './kind'
import { operationFaults } from './operation-checks'
import { cardFaults, pageFaults, publicPageFaults } from './page-checks'
import { entityWith, operationWith, pageWith, providedWith, withSchema } from './provided-names'

/** The function gets no context. */
const pure: Rule<'nothing'> = { gives: 'nothing', give: null }
/** Only the plugin calls it. */
const byItself: Rule<'own'> = { gives: 'own', give: null }
const system: Rule<'system'> = { gives: 'system', give: (own, [ctx]) => own(ctx as OwnerContext) }
const page: Rule<'page'> = { gives: 'page', give: (own, [ctx]) => own(ctx as object) }
const action: Rule<'action'> = { gives: 'action', give: (own, [ctx]) => own(ctx as object) }
const part: Rule<'part'> = { gives: 'part', give: (own, [ctx]) => own(ctx as object) }

/** The system context of the workspace that an argument names. */
const systemOf = (position: number): Rule<'system'> => ({
  gives: 'system',
  give: (own, given) => own(given[0] as OwnerContext, workspaceIn(given[position])),
})
/** The system context of what people and services start. It refuses work for inactive workspaces. */
const starting: Rule<'system'> = {
  gives: 'system',
  give: (own, [ctx]) => own(activeWork(ctx as OwnerContext)),
}
const startingOf = (position: number): Rule<'system'> => ({
  gives: 'system',
  give: (own, given) => own(activeWork(given[0] as OwnerContext), workspaceIn(given[position])),
})
/** The system context of a scheduled task. It leaves out inactive workspaces, unless the task includes them. */
const scheduled: Rule<'system'> = {
  gives: 'system',
  give: (own, [ctx], job) =>
    own(
      (job as JobDeclaration).includesInactive === true
        ? (ctx as OwnerContext)
        : activeRows(ctx as OwnerContext),
    ),
}
/** The context of the class of the operation. A set-up reads settings too, and gets those of its plugin. */
const ofClass: Rule<'operation'> = { gives: 'operation', give: (own, [ctx]) => own(ctx as object) }

const workspaceIn = (given: unknown) => (given as { readonly workspace_id: string }).workspace_id

const kebab: NameForm = [/^[a-z][a-z0-9-]*$/, 'kebab-case']
const fieldForm: NameForm = [/^[a-z][a-z0-9_]*$/, 'snake_case']
const fileForm: NameForm = [/^[a-z][a-z0-9-]*\.[a-z]{2,5}$/, 'kebab-case with an ending, such as rss.xml']
const settingForm: NameForm = [/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/, 'UPPER_SNAKE_CASE']

/** Returns what is wrong with a name. */
export const nameFaults = (
  plugin: string,
  word: string,
  name: unknown,
  [pattern, words]: NameForm,
): string[] => (pattern.test(String(name)) ? [] : [`${plugin}: ${word} name "${name}" is not ${words}`])

const namesFaults = (plugin: string, word: string, named: object | undefined, form: NameForm): string[] =>
  Object.keys(named ?? {}).flatMap((name) => nameFaults(plugin, word, name, form))

/** The declarations by their names. */
const byName = <V>(word: string): MapRule<V> => ({ word, entries: (name, one) => [[name, one]] })

/**
 * The kinds of declaration, in the order in which they are checked. The forms, the confinement, the checks, the maps of
 * the registry, the surface and the tests are derived from the rows. A new kind is a row here, its type in `PluginKinds`
 * and its chapter in the docs.
 */
export const kinds = {
  entities: {
    word: 'entity',
    holds: 'list',
    form: 'list?',
    shape: {
      name: 'text',
      summary: 'text',
      idPrefix: 'text',
      store: 'text',
      scope: 'scope',
      reads: 'texts',
      fields: 'schemas',
      hidden: 'texts?',
      sealed: 'texts?',
      personal: 'texts?',
      people: 'people?',
      opaque: 'texts?',
      searchable: 'texts?',
      immutable: 'texts?',
      seldom: 'texts?',
      states: 'states?',
      sortable: 'texts',
      defaultSort: 'text?',
      indexes: 'indexes?',
      except: 'map?',
      exceptSet: 'texts?',
      usual: 'list?',
      periodField: 'text?',
      shared: 'texts?',
      readableByPlugins: 'texts?',
      counts: 'map?',
      daySums: 'map?',
      namedIn: 'map?',
      deprecated: 'notice?',
    },
    // Listed by mistake. Another check reports where it belongs.
    isElsewhere: (entity) => 'foreign' in entity,
    namedBy: 'name',
    names: [/^[A-Z][A-Za-z0-9]*$/, 'PascalCase'],
    contexts: {},
    maps: {
      entities: byName<AnyEntity>('entity'),
      states: {
        word: 'state machine',
        entries: (_, { states = [] }: AnyEntity): [string, StateMachine][] =>
          states.map((machine) => [`${machine.entity}.${machine.field}`, machine]),
      },
    },
    isPublished: true,
    check: (entity, _, plugin) => [
      ...namesFaults(plugin, 'field', entity.fields, fieldForm),
      ...entityFaults(entity),
      ...stateFaults(plugin, entity),
    ],
    checkAll: (_, { entities, tables }) => [...prefixClashes(entities), ...tableless(entities, tables)],
    widened: entityWith,
    triedBy: ['testPlugin'],
    chapter: 'A record type',
  },
  operations: {
    word: 'operation',
    holds: 'list',
    form: 'list?',
    // Class, rule and run have their own, more specific messages.
    shape: {
      name: 'text',
      summary: 'text',
      class: 'any',
      crossAgency: 'any',
      run: 'any',
      input: 'map?',
      output: 'map?',
      seldom: 'texts?',
      deprecated: 'notice?',
      shorten: 'function?',
      inside: 'function?',
    },
    isReadable: (operation) => {
      const { input, output, deprecated } = operation as Partial<AnyOperation>
      return fits('map?', input) && fits('map?', output) && fits('notice?', deprecated)
    },
    namedBy: 'name',
    names: [/^[a-z][A-Za-z0-9]*$/, 'camelCase'],
    contexts: { run: ofClass, shorten: pure, inside: pure },
    maps: { operations: byName<AnyOperation>('operation') },
    isPublished: true,
    check: operationFaults,
    widened: operationWith,
    triedBy: ['testPlugin'],
    chapter: 'An operation',
  },
  reads: {
    word: 'read',
    holds: 'list',
    form: 'list?',
    shape: { name: 'text', fields: 'schemas' },
    isOpen: true,
    namedBy: 'name',
    contexts: {},
    maps: {},
    checkAll: (all, { entities }) => foreignFaults(all, entities),
    triedBy: ['testPlugin'],
    chapter: 'What else can be declared',
  },
  commands: {
    word: 'command',
    holds: 'list',
    form: 'list?',
    shape: {
      name: 'text',
      summary: 'text',
      input: 'schema',
      positional: 'texts?',
      secrets: 'texts?',
      isBad: 'function?',
      faultsIn: 'function?',
      run: 'function',
      proposal: 'proposal?',
    },
    namedBy: 'name',
    contexts: {
      run: starting,
      faultsIn: system,
      isBad: pure,
      proposal: { prepare: part, run: starting, outcome: part },
    },
    maps: { commands: byName<AnyCommand>('command') },
    check: (_, name, at) => {
      const fault = commandNameFault(name)
      return fault === null ? [] : [`${at}: command name "${name}" ${fault}`]
    },
    widened: (command, names) => withSchema(command, 'input', names),
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  prompts: {
    word: 'prompt',
    holds: 'list',
    form: 'list?',
    shape: { name: 'text', summary: 'text', takes: 'takes?', text: 'function' },
    namedBy: 'name',
    names: [/^[a-z][a-z0-9_]{0,39}$/, 'snake_case of at most 40 characters'],
    contexts: { text: pure },
    maps: { prompts: byName<PromptDeclaration>('prompt') },
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  jobs: {
    word: 'job',
    holds: 'map',
    form: 'map?',
    shape: { summary: 'text', everyMs: 'number', run: 'function', includesInactive: 'yes?' },
    names: [/^[a-z][A-Za-z0-9-]*$/, 'camelCase or kebab-case'],
    contexts: { run: scheduled },
    maps: { jobs: byName<JobDeclaration>('job') },
    check: ({ everyMs }, name) => (everyMs > 0 ? [] : [`job ${name}: everyMs must be above 0`]),
    triedBy: ['startGate'],
    chapter: 'A job',
  },
  queues: {
    word: 'queue',
    holds: 'map',
    form: 'map?',
    shape: {
      summary: 'text',
      payload: 'schema',
      attemptsMax: 'number?',
      atOnce: 'number?',
      run: 'function',
      onDeadLetter: 'function?',
    },
    names: kebab,
    contexts: { run: systemOf(2), onDeadLetter: systemOf(3) },
    maps: { queues: byName<AnyQueue>('queue') },
    check: (queue, name) =>
      (['attemptsMax', 'atOnce'] as const)
        .filter((limit) => !((queue[limit] ?? 1) >= 1))
        .map((limit) => `queue ${name}: ${limit} must be at least 1`),
    widened: (queue, names) => withSchema(queue, 'payload', names),
    triedBy: ['startGate'],
    chapter: 'A job',
  },
  feeds: {
    word: 'feed',
    holds: 'map',
    form: 'map?',
    shape: { summary: 'text', takes: 'schema?', run: 'function' },
    names: kebab,
    contexts: { run: system },
    maps: { feeds: byName<FeedDeclaration>('feed') },
    widened: (feed, names) => withSchema(feed, 'takes', names),
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  receivers: {
    word: 'receiver',
    holds: 'map',
    form: 'map?',
    shape: { summary: 'text', find: 'function', receive: 'function' },
    names: kebab,
    contexts: { find: system, receive: startingOf(1) },
    maps: { receivers: byName<ReceiverDeclaration>('receiver') },
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  publicPages: {
    word: 'public page',
    holds: 'map',
    form: 'map?',
    shape: { summary: 'text', find: 'function?', page: 'map?', files: 'map?', uploads: 'uploads?' },
    names: kebab,
    contexts: {
      find: system,
      page: { load: systemOf(1), headOf: pure, submit: { run: startingOf(1) } },
      files: { each: { load: systemOf(1) } },
      uploads: { load: systemOf(1) },
    },
    maps: {
      publicPages: byName<PublicPageDeclaration>('public page'),
      uploads: {
        word: 'upload',
        entries: (name, { uploads }: PublicPageDeclaration): [string, UploadDeclaration][] =>
          uploads ? [[name, uploads]] : [],
      },
    },
    check: (declared, name, plugin) => [
      ...namesFaults(plugin, 'public file', declared.files, fileForm),
      ...publicPageFaults(name, declared),
    ],
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  pages: {
    word: 'page',
    holds: 'list',
    form: 'list?',
    shape: {
      path: 'text',
      title: 'wording',
      words: 'words?',
      nav: 'nav?',
      module: 'url',
      load: 'function',
      download: 'function?',
      only: 'only?',
      isFor: 'function?',
      actions: 'actions?',
      events: 'functions?',
      style: 'text?',
      isStatic: 'yes?',
      width: 'any',
      record: 'map?',
      cards: 'map?',
      titleOf: 'function?',
      headOf: 'function?',
      submit: 'map?',
      notices: 'map?',
      files: 'map?',
    },
    namedBy: 'path',
    names: [/^\/app(\/[a-z][a-z0-9-]*)+$/, '/app/ and words in kebab-case'],
    contexts: {
      load: page,
      isFor: pure,
      titleOf: pure,
      headOf: pure,
      download: page,
      nav: { count: page },
      files: { each: { load: page } },
      submit: { run: action, faultsIn: action },
      actions: { each: { run: action, faultsIn: action } },
      events: { each: page },
    },
    maps: {
      pages: byName<AnyPage>('page'),
      topics: {
        word: 'event topic',
        entries: (_, { events = {} }: AnyPage): [string, EventsDeclaration][] => Object.entries(events),
      },
    },
    check: (declared, _, plugin) => [
      ...namesFaults(plugin, 'action', declared.actions, kebab),
      ...(declared.record ? nameFaults(plugin, 'field', declared.record.param, fieldForm) : []),
      ...namesFaults(plugin, 'topic', declared.events, kebab),
      ...pageFaults(declared),
    ],
    widened: pageWith,
    triedBy: ['testPlugin'],
    chapter: 'A page',
  },
  settings: {
    word: 'setting',
    holds: 'one',
    form: 'settings?',
    shape: null,
    contexts: { of: byItself },
    maps: {
      settings: {
        word: 'setting',
        entries: (_, { declared }: { declared: Record<string, SettingDeclaration> }) =>
          Object.entries(declared),
      },
    },
    check: ({ declared }, _, plugin) =>
      Object.entries(declared).flatMap(([name, { schema, fallback }]) => [
        ...nameFaults(plugin, 'setting', name, settingForm),
        ...(Object.hasOwn(coreSettings, name)
          ? [`${plugin}: the setting ${name} already belongs to core`]
          : []),
        ...(v.safeParse(schema, fallback).success
          ? []
          : [`the default of setting ${name} does not match its schema`]),
      ]),
    triedBy: ['startGate'],
    chapter: 'Settings',
  },
  extensionPoints: {
    word: 'point',
    holds: 'list',
    form: 'list?',
    shape: {
      id: 'text',
      summary: 'text',
      contract: 'schema',
      with: 'function',
      nameOf: 'function',
      isOptional: 'any',
    },
    namedBy: 'id',
    check: ({ id }, _, plugin) =>
      nameFaults(plugin, 'extension point', id, [/^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/, '<domain>.<noun>']),
    contexts: { nameOf: pure, with: pure },
    maps: { points: byName<AnyExtensionPoint>('extension point') },
    triedBy: ['startGate'],
    chapter: 'Extension points',
  },
  provides: {
    word: 'provided',
    holds: 'list',
    form: 'list?',
    shape: { point: 'text', extension: 'map', isOptional: 'yes?' },
    namedBy: 'point',
    contexts: { extension: { gives: 'any', give: null } },
    maps: {},
    checkAll: (all, { points }) => [...extensionFaults(all, points), ...cardFaults(all), ...appFaults(all)],
    widened: providedWith,
    triedBy: [
      'testReviewSource',
      'testMentionSource',
      'testReplyChannel',
      'testPostTarget',
      'testProfileSource',
      'testPlatformId',
      'testVisibilityEngine',
      'testLocationCard',
      'testHomeCard',
      'testInboxSource',
      'testLocationCapacity',
      'testSetupStep',
    ],
    chapter: 'Extension points',
  },
  tables: {
    word: 'table',
    holds: 'list',
    form: 'list?',
    shape: {
      name: 'text',
      columns: 'map',
      engine: 'text',
      orderBy: 'texts',
      partitionBy: 'text?',
      ttl: 'text?',
      settings: 'map?',
      people: 'texts?',
      within: 'map?',
    },
    namedBy: 'name',
    names: fieldForm,
    contexts: {},
    maps: { tables: byName<TableDeclaration>('table') },
    check: ({ name, columns, orderBy }) =>
      orderBy
        .filter((column) => !Object.hasOwn(columns, column))
        .map((column) => `table ${name}: orderBy names ${column}, which is not a column`),
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  connections: {
    word: 'connection',
    holds: 'list',
    form: 'list?',
    shape: {
      provider: 'text',
      label: 'text',
      order: 'number',
      account: 'map',
      addedVia: 'any',
      consent: 'map?',
      tokenFile: 'map?',
      renew: 'function?',
      locations: 'function?',
      limits: 'function?',
    },
    namedBy: 'provider',
    names: [/^[a-z][a-z0-9-]{0,39}$/, 'kebab-case of at most 40 characters'],
    contexts: {
      renew: part,
      locations: part,
      limits: part,
      consent: { address: part, exchange: part, choice: { list: part, declined: part } },
      tokenFile: { refusal: pure },
    },
    maps: { providers: byName<ConnectionDeclaration>('connection') },
    checkPlugin: connectionFaults,
    triedBy: ['testConnection'],
    chapter: 'Connections',
  },
  migrations: {
    word: 'migration',
    holds: 'list',
    form: 'list?',
    shape: { version: 'any', summary: 'text', up: 'function' },
    contexts: { up: system },
    maps: {},
    checkPlugin: ({ name, migrations = [] }) => {
      const seen = new Set<number>()
      return migrations.flatMap(({ version: number }) => {
        const twice = seen.has(number)
        seen.add(number)
        if (!Number.isSafeInteger(number) || number < 1)
          return [`${name}: migration version ${number} is not a whole number`]
        return twice ? [`${name}: two migrations of version ${number}`] : []
      })
    },
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  events: {
    word: 'event',
    holds: 'list',
    form: 'list?',
    shape: { name: 'text', summary: 'text', data: 'schema', example: 'map' },
    namedBy: 'name',
    contexts: {},
    maps: { eventTypes: byName<AnyEventType>('event type') },
    isPublished: true,
    checkPlugin: eventFaults,
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  subscribers: {
    word: 'subscriber',
    holds: 'map',
    form: 'functions?',
    shape: null,
    contexts: systemOf(1),
    maps: {},
    checkAll: (all, { eventTypes }) => subscriberFaults(all, eventTypes),
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
  demo: {
    word: 'demo',
    holds: 'one',
    form: 'map?',
    shape: null,
    contexts: { rows: pure, events: pure, proposals: pure, remove: system },
    maps: {},
    triedBy: ['startGate'],
    chapter: 'What else can be declared',
  },
} as const satisfies { readonly [K in KindKey]: Kind<K> }

/** A row of the table, of any kind. */
export type AnyKind = Kind<KindKey>

/** The rows of the table, by key. */
export const kindList = Object.entries(kinds) as unknown as readonly (readonly [KindKey, AnyKind])[]

type Table = typeof kinds
type Rules = { [K in keyof Table]: Table[K]['maps'] }[keyof Table]
type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never
type Maps = Merged<Rules>

/** The maps of the registry, as the rows declare them. */
export type KindMaps = {
  readonly [N in keyof Maps]: Maps[N] extends {
    entries(...given: never[]): Iterable<readonly [string, infer V]>
  }
    ? ReadonlyMap<string, V>
    : never
}

/** The kinds whose declarations callers see. */
export type PublishedKey = {
  [K in keyof Table]: Table[K] extends { readonly isPublished: true } ? K : never
}[keyof Table]

/** Returns the declarations that a plugin has of a kind, with their names. */
export function partsOf(
  plugin: PluginDeclaration,
  key: KindKey,
  { holds, namedBy }: AnyKind,
): readonly (readonly [string, unknown])[] {
  const held: unknown = plugin[key]
  if (held === undefined) return []
  if (holds === 'one') return [[key, held]]
  if (holds === 'map') return Object.entries(held as object)
  return (held as readonly object[]).map(
    (part) =>
      [namedBy === undefined ? '' : (part as Readonly<Record<string, string>>)[namedBy], part] as [
        string,
        unknown,
      ],
  )
}
