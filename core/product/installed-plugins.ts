import type { AnyEntity, Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import { everything, where } from '../contracts/where'
import { StartError } from '../process/start-error'
import { version } from '../process/version'
import { quoteName } from '../query/clickhouse-text'
import { originOf } from '../registry/plugin-origin'
import type { Registry } from '../registry/registry'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import { InstalledPlugin } from '../stores/InstalledPlugin'

interface Deps {
  readonly registry: Pick<Registry, 'plugins' | 'entities' | 'tables'>
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly now: () => Date
}

/** A plugin that has used this data, with its rows. */
export interface PluginState {
  readonly name: string
  readonly version: string
  readonly is_loaded: boolean
  /** Rows by record type or table that no loaded plugin declares. */
  readonly rows: Readonly<Record<string, number>>
}

/** The plugins of this data, for `bun renown plugin`. */
export interface InstalledPlugins {
  list(): Promise<PluginState[]>
  /**
   * Removes the record of a plugin that is not loaded. For a loaded plugin, deletes the rows of record types
   * that it no longer declares. Refuses if there are rows, unless they are to be deleted.
   */
  remove(name: string, deletesRows: boolean): Promise<{ name: string; deleted: Record<string, number> }>
}

type Installed = Row<typeof InstalledPlugin>

/**
 * Records the loaded plugins. Throws a StartError if this data has rows of a missing plugin, or of a record
 * type that a loaded plugin no longer declares. An export, a check or the removal of a workspace would omit
 * them.
 */
export async function checkPlugins(deps: Deps, allowsMissing: boolean): Promise<void> {
  await deps.documents.ensure([InstalledPlugin])
  const known = await installed(deps)
  if (!allowsMissing) await mustHaveAll(deps, known)
  await record(deps, known)
}

export function createInstalledPlugins(deps: Deps): InstalledPlugins {
  const { registry, documents } = deps
  const stateOf = async (row: Installed): Promise<PluginState> => {
    const is_loaded = registry.plugins.has(row.id)
    return { name: row.id, version: row.version, is_loaded, rows: await rowsOf(deps, row) }
  }
  return {
    list: async () => Promise.all((await installed(deps)).map(stateOf)),
    remove: async (name, deletesRows) => {
      const row = (await installed(deps)).find(({ id }) => id === name)
      if (!row) throw new Refusal('not_found', `The plugin ${name} has not run on this data.`)
      const rows = await rowsOf(deps, row)
      const isLoaded = registry.plugins.has(name)
      if (isLoaded && Object.keys(rows).length === 0)
        throw new Refusal(
          'conflict',
          `The plugin ${name} is loaded. Stop Renown, remove it from PLUGINS and run the command again.`,
        )
      if (Object.keys(rows).length > 0 && !deletesRows)
        throw new Refusal(
          'conflict',
          `The plugin ${name} has rows in this data: ${shown(rows)}. Add --delete-rows to delete them for good. To keep a copy, load the plugin and run \`data export\` first.`,
        )
      const tables = namesIn(row.tables).filter((table) => table in rows)
      if (tables.length > 0)
        throw new Refusal(
          'conflict',
          `The plugin ${name} has rows in ClickHouse. Drop these tables first: ${tables.join(', ')}.`,
        )
      for (const entity of entitiesOf(deps, row)) await documents.collection(entity).remove(everything)
      if (!isLoaded) await documents.collection(InstalledPlugin).remove(where.eq('id', name))
      return { name, deleted: rows }
    },
  }
}

async function mustHaveAll(deps: Deps, known: readonly Installed[]): Promise<void> {
  const faults: string[] = []
  for (const row of known) {
    const rows = await rowsOf(deps, row)
    if (Object.keys(rows).length === 0) continue
    const { id, version: last, source } = row
    const remove = `bun renown plugin remove ${id} --delete-rows`
    faults.push(
      deps.registry.plugins.has(id)
        ? `The plugin ${id} ${originOf(id)?.version ?? version} no longer declares record types that have rows in this data: ${shown(rows)}. Load the version that declares them (the last one was ${last}), or remove these rows: ${remove}`
        : `The plugin ${id} ${last} is not loaded, but has rows in this data: ${shown(rows)}. Set PLUGINS=${source === '' ? id : source} (comma-separated with others), or remove the plugin and its rows: ${remove}`,
    )
  }
  if (faults.length > 0) throw new StartError(faults.join('\n'))
}

async function record(deps: Deps, known: readonly Installed[]): Promise<void> {
  const { registry, documents, now } = deps
  const before = new Map(known.map((row) => [row.id, row]))
  for (const plugin of registry.plugins.values()) {
    const origin = originOf(plugin.name)
    const entities = (plugin.entities ?? [])
      .filter(({ store }) => store === 'documents')
      .map(({ name }) => name)
    const old = before.get(plugin.name)
    // Record types that the plugin no longer declares are remembered as long as they have rows.
    const left = old ? Object.keys(await rowsOf(deps, old)) : []
    const set = {
      version: origin?.version ?? version,
      source: origin?.source ?? '',
      entities: [...entities, ...namesIn(old?.entities).filter((name) => left.includes(name))],
      tables: [
        ...(plugin.tables ?? []).map(({ name }) => name),
        ...namesIn(old?.tables).filter((name) => left.includes(name)),
      ],
    }
    if (
      old &&
      Object.entries(set).every(([key, value]) => Bun.deepEquals(old[key as keyof typeof set], value))
    )
      continue
    const stamp = now().toISOString()
    await documents.collection(InstalledPlugin).updateOne(
      where.eq('id', plugin.name),
      {
        set: { ...set, updated_date: stamp },
        setOnInsert: { id: plugin.name, workspace_id: plugin.name, created_date: stamp },
      },
      { upsert: true },
    )
  }
}

const installed = ({ documents }: Deps): Promise<readonly Installed[]> =>
  documents.collection(InstalledPlugin).find({ where: everything })

/** Counts rows that no loaded plugin declares, by record type and table. Leaves out counts of 0. */
async function rowsOf(deps: Deps, row: Installed): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const entity of entitiesOf(deps, row))
    counts[entity.name] = await deps.documents.collection(entity).count(everything)
  for (const table of namesIn(row.tables).filter((name) => !deps.registry.tables.has(name))) {
    const [there] = await deps.columns.query<{ n: string }>(
      'SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
      { name: table },
    )
    if (Number(there?.n ?? 0) === 0) continue
    const [found] = await deps.columns.query<{ n: string }>(`SELECT count() AS n FROM ${quoteName(table)}`)
    counts[table] = Number(found?.n ?? 0)
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

/** Returns enough of a missing declaration to count and remove its rows. */
const entitiesOf = ({ registry }: Deps, row: Installed): AnyEntity[] =>
  namesIn(row.entities)
    .filter((name) => !registry.entities.has(name))
    .map((name) => ({ ...InstalledPlugin, name, fields: {}, opaque: [] }))

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

const shown = (rows: Readonly<Record<string, number>>) =>
  Object.entries(rows)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
