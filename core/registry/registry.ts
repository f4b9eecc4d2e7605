import type { Providers } from '../contracts/connection'
import type { AnyEntity } from '../contracts/entity'
import type { Extension, ExtensionPoint } from '../contracts/extension'
import type { MigrationDeclaration, PluginDeclaration } from '../contracts/plugin'
import { extensionsOf } from './extensions'
import { type KindMaps, kindList, partsOf } from './kinds'
import { noteDeclared } from './own-context'
import { checkPluginShape, pluginFaults } from './plugin-checks'
import { confined, withNames, withShared } from './plugin-context'
import { namesOf } from './provided-names'
import { referenceFaults } from './reference-checks'

export interface RegisteredMigration extends MigrationDeclaration {
  readonly plugin: string
}

/** Everything that plugins declare, by name, checked against each other. Nothing can be added after the start. */
export interface Registry extends KindMaps {
  readonly plugins: ReadonlyMap<string, PluginDeclaration>
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
  faults.push(...all.flatMap((plugin) => pluginFaults(plugin, all)))
  // A plugin with faults may have no schema to look into or to widen, and stops the start anyway.
  if (faults.length === 0) faults.push(...referenceFaults(all))
  const names = faults.length === 0 ? namesOf(all) : new Map()
  const own = all.map((plugin) => confined(names.size === 0 ? plugin : withNames(plugin, names)))
  for (const plugin of [...all, ...own]) noteDeclared(plugin)
  const { maps, owners } = collect(own, faults)
  for (const [, { checkAll }] of kindList) faults.push(...(checkAll?.(all, maps) ?? []))
  if (faults.length > 0) {
    throw new Error(`The plugins cannot be loaded together:\n  ${[...new Set(faults)].join('\n  ')}`)
  }
  const declared = new Set(all.flatMap(({ entities = [] }) => entities))
  const ownerOf = (kind: 'entity' | 'operation' | 'page', name: string) => owners.get(`${kind} ${name}`)
  return Object.freeze({
    ...maps,
    providers: inOrder(maps.providers),
    migrations: Object.freeze(migrationsOf([...maps.plugins.values()])),
    extensions: extensionsOf(own, maps.points),
    isDeclared: (entity: AnyEntity) => declared.has(entity),
    pluginOf: ownerOf,
    notYetOf: (kind: 'entity' | 'operation', name: string) =>
      maps.plugins.get(ownerOf(kind, name) ?? '')?.notYet,
  })
}

/** Returns the maps that the rows of the table name, and who declared each thing in them, by its word and name. */
function collect(all: readonly PluginDeclaration[], faults: string[]) {
  const owners = new Map<string, string>()
  const sealedMap = (
    word: string,
    pick: (plugin: PluginDeclaration) => Iterable<readonly [string, unknown]>,
  ) => {
    const map = new Map<string, unknown>()
    for (const plugin of all) {
      for (const [name, value] of pick(plugin)) {
        const first = owners.get(`${word} ${name}`)
        if (first === undefined) owners.set(`${word} ${name}`, plugin.name)
        else faults.push(`both ${first} and ${plugin.name} declare the ${word} ${name}`)
        map.set(name, value)
      }
    }
    return sealed(map)
  }
  const maps: Record<string, ReadonlyMap<string, unknown>> = {
    plugins: sealedMap('plugin', (plugin) => [[plugin.name, plugin]]),
  }
  for (const [key, kind] of kindList) {
    for (const [name, { word, entries }] of Object.entries(kind.maps)) {
      maps[name] = sealedMap(word, (plugin) =>
        partsOf(plugin, key, kind).flatMap(([part, value]) => [...entries(part, value as never)]),
      )
    }
  }
  return { maps: maps as unknown as KindMaps & Pick<Registry, 'plugins'>, owners }
}

const inOrder = (providers: Providers): Providers =>
  sealed(
    new Map([...providers].sort(([, a], [, b]) => a.order - b.order || (a.provider < b.provider ? -1 : 1))),
  )

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
