import type { ConnectionDeclaration, Providers } from '../contracts/connection'
import type { AnyEntity } from '../contracts/entity'
import type { AnyEventType } from '../contracts/event-type'
import type { AnyExtensionPoint, Extension, ExtensionPoint } from '../contracts/extension'
import type { AnyOperation } from '../contracts/operation'
import type { AnyPage, EventsDeclaration } from '../contracts/page'
import type {
  AnyCommand,
  FeedDeclaration,
  JobDeclaration,
  MigrationDeclaration,
  PluginDeclaration,
  PromptDeclaration,
  TableDeclaration,
} from '../contracts/plugin'
import type { PublicPageDeclaration } from '../contracts/public-page'
import type { AnyQueue } from '../contracts/queue'
import type { ReceiverDeclaration } from '../contracts/receiver'
import type { SettingDeclaration } from '../contracts/setting'
import type { StateMachine } from '../contracts/states'
import type { UploadDeclaration } from '../contracts/upload'
import { appFaults } from './app-checks'
import { cardFaults } from './card-checks'
import { eventFaults, subscriberFaults } from './event-checks'
import { extensionFaults, extensionsOf } from './extensions'
import { foreignFaults } from './foreign-checks'
import { confined, withShared } from './plugin-context'
import { checkPluginShape } from './plugin-shape'
import { namesOf, withNames } from './provided-names'
import { referenceFaults } from './reference-checks'
import { pluginFaults } from './registry-checks'
import { renamedFaults } from './renamed'
import { tableOf } from './table-of'

export interface RegisteredMigration extends MigrationDeclaration {
  readonly plugin: string
}

/** Everything that plugins declare, by name, checked against each other. Nothing can be added after the start. */
export interface Registry {
  readonly plugins: ReadonlyMap<string, PluginDeclaration>
  readonly entities: ReadonlyMap<string, AnyEntity>
  readonly operations: ReadonlyMap<string, AnyOperation>
  readonly commands: ReadonlyMap<string, AnyCommand>
  readonly jobs: ReadonlyMap<string, JobDeclaration>
  readonly queues: ReadonlyMap<string, AnyQueue>
  readonly feeds: ReadonlyMap<string, FeedDeclaration>
  readonly receivers: ReadonlyMap<string, ReceiverDeclaration>
  readonly publicPages: ReadonlyMap<string, PublicPageDeclaration>
  readonly uploads: ReadonlyMap<string, UploadDeclaration>
  readonly tables: ReadonlyMap<string, TableDeclaration>
  readonly prompts: ReadonlyMap<string, PromptDeclaration>
  /** Types of events, by name. */
  readonly eventTypes: ReadonlyMap<string, AnyEventType>
  /** By topic. */
  readonly topics: ReadonlyMap<string, EventsDeclaration>
  /** By path. */
  readonly pages: ReadonlyMap<string, AnyPage>
  /** Settings that plugins declare, by name. */
  readonly settings: ReadonlyMap<string, SettingDeclaration>
  /** State machines by entity and field, such as `Lead.stage`. */
  readonly states: ReadonlyMap<string, StateMachine>
  /** By id. */
  readonly points: ReadonlyMap<string, AnyExtensionPoint>
  /** The services whose accounts people connect, in the order of the Connections page. */
  readonly providers: Providers
  /** Returns the implementations of a declared extension point, ordered by name. */
  extensions<T extends Extension>(point: ExtensionPoint<T>): readonly T[]
  /** Ordered by version, then by plugin. */
  readonly migrations: readonly RegisteredMigration[]
  /** Whether a plugin declares this entity object. The one in `entities` may accept more names of `field.provided`. */
  isDeclared(entity: AnyEntity): boolean
  /** Name of the plugin that declared an entity, an operation or the page at a path. */
  pluginOf(kind: 'entity' | 'operation' | 'page', name: string): string | undefined
  /** Returns what an entity or an operation cannot do yet, according to its plugin. */
  notYetOf(kind: 'entity' | 'operation', name: string): string | undefined
}

/** Creates the registry from all plugins, with core's own. Throws one Error that lists every conflict. */
export function createRegistry(plugins: readonly PluginDeclaration[]): Registry {
  const sifted = plugins.map(checkPluginShape)
  const all = withShared(sifted.map(({ sound }) => sound))
  const faults = sifted.flatMap((one) => one.faults)
  faults.push(
    ...all.flatMap((plugin) => [
      ...renamedFaults(plugin),
      ...pluginFaults(plugin, all),
      ...eventFaults(plugin),
    ]),
  )
  // A plugin with faults may have no schema to look into or to widen, and stops the start anyway.
  if (faults.length === 0) faults.push(...referenceFaults(all))
  const names = faults.length === 0 ? namesOf(all) : new Map()
  const maps = collect(
    all.map((plugin) => confined(names.size === 0 ? plugin : withNames(plugin, names))),
    faults,
  )
  faults.push(...prefixClashes(maps.entities), ...foreignFaults(all, maps.entities))
  faults.push(...tableless(maps.entities, maps.tables), ...extensionFaults(all, maps.points))
  faults.push(...cardFaults(all), ...appFaults(all), ...subscriberFaults(all, maps.eventTypes))
  if (faults.length > 0) {
    throw new Error(`The plugins cannot be loaded together:\n  ${[...new Set(faults)].join('\n  ')}`)
  }
  const declared = new Set(all.flatMap(({ entities = [] }) => entities))
  const owners = new Map<string, string>()
  for (const plugin of all) {
    for (const { name } of plugin.entities ?? []) owners.set(`entity ${name}`, plugin.name)
    for (const { name } of plugin.operations ?? []) owners.set(`operation ${name}`, plugin.name)
    for (const { path } of plugin.pages ?? []) owners.set(`page ${path}`, plugin.name)
  }
  return Object.freeze({
    ...maps,
    providers: inOrder(maps.providers),
    migrations: Object.freeze(migrationsOf([...maps.plugins.values()])),
    extensions: extensionsOf(all, maps.points),
    isDeclared: (entity: AnyEntity) => declared.has(entity),
    pluginOf: (kind: 'entity' | 'operation' | 'page', name: string) => owners.get(`${kind} ${name}`),
    notYetOf: (kind: 'entity' | 'operation', name: string) =>
      maps.plugins.get(owners.get(`${kind} ${name}`) ?? '')?.notYet,
  })
}

function collect(all: readonly PluginDeclaration[], faults: string[]) {
  const gather = <T>(
    kind: string,
    pick: (plugin: PluginDeclaration) => readonly (readonly [string, T])[],
  ) => {
    const map = new Map<string, T>()
    const owner = new Map<string, string>()
    for (const plugin of all) {
      for (const [name, value] of pick(plugin)) {
        const first = owner.get(name)
        if (first === undefined) owner.set(name, plugin.name)
        else faults.push(`both ${first} and ${plugin.name} declare the ${kind} ${name}`)
        map.set(name, value)
      }
    }
    return sealed(map)
  }
  const named = <T extends { readonly name: string }>(list: readonly T[] = []) =>
    list.map((item) => [item.name, item] as const)
  return {
    plugins: gather('plugin', (plugin) => [[plugin.name, plugin]]),
    entities: gather('entity', (plugin) => named(plugin.entities)),
    operations: gather('operation', (plugin) => named(plugin.operations)),
    commands: gather('command', (plugin) => named(plugin.commands)),
    jobs: gather('job', (plugin) => Object.entries(plugin.jobs ?? {})),
    queues: gather('queue', (plugin) => Object.entries(plugin.queues ?? {})),
    feeds: gather('feed', (plugin) => Object.entries(plugin.feeds ?? {})),
    receivers: gather('receiver', (plugin) => Object.entries(plugin.receivers ?? {})),
    publicPages: gather('public page', (plugin) => Object.entries(plugin.publicPages ?? {})),
    uploads: gather('upload', (plugin) => Object.entries(plugin.uploads ?? {})),
    tables: gather('table', (plugin) => named(plugin.tables)),
    prompts: gather('prompt', (plugin) => named(plugin.prompts)),
    eventTypes: gather('event type', (plugin) => named(plugin.events)),
    pages: gather('page', (plugin) => (plugin.pages ?? []).map((page) => [page.path, page] as const)),
    topics: gather('event topic', (plugin) =>
      (plugin.pages ?? []).flatMap(({ events = {} }) => Object.entries(events)),
    ),
    points: gather('extension point', (plugin) =>
      (plugin.extensionPoints ?? []).map((point) => [point.id, point] as const),
    ),
    providers: gather('connection', (plugin) =>
      (plugin.connections ?? []).map((one) => [one.provider, one] as const),
    ),
    settings: gather('setting', (plugin) => Object.entries(plugin.settings?.declared ?? {})),
    states: gather('state machine', (plugin) =>
      (plugin.states ?? []).map((machine) => [`${machine.entity}.${machine.field}`, machine] as const),
    ),
  }
}

const inOrder = (providers: Providers): Providers =>
  sealed(
    new Map<string, ConnectionDeclaration>(
      [...providers].sort(([, a], [, b]) => a.order - b.order || (a.provider < b.provider ? -1 : 1)),
    ),
  )

function prefixClashes(entities: ReadonlyMap<string, AnyEntity>): string[] {
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

function tableless(
  entities: ReadonlyMap<string, AnyEntity>,
  tables: ReadonlyMap<string, TableDeclaration>,
): string[] {
  return [...entities.values()]
    .filter((entity) => entity.store === 'columns' && !tables.has(tableOf(entity)))
    .map(
      (entity) => `entity ${entity.name} is served from columns, and no table ${tableOf(entity)} is declared`,
    )
}

function migrationsOf(all: readonly PluginDeclaration[]): RegisteredMigration[] {
  return all
    .flatMap((plugin) =>
      (plugin.migrations ?? []).map(({ version, summary, up }) => ({
        plugin: plugin.name,
        version,
        summary,
        up,
      })),
    )
    .sort((a, b) => a.version - b.version)
}

/** Returns a map that throws on every change. `Object.freeze` does not prevent `set`. */
function sealed<T>(map: Map<string, T>): ReadonlyMap<string, T> {
  const refuse = () => {
    throw new Error('The registry cannot change after the start')
  }
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }))
}
