import { everything, where } from '../contracts/where'
import { fieldsOf } from '../kit/fields'
import type { Clock } from '../process/clock'
import { StartError } from '../process/start-error'
import { version as ownVersion } from '../process/version'
import type { Registry } from '../registry/registry'
import { AppliedMigration } from '../stores/AppliedMigration'
import { DataVersion } from '../stores/DataVersion'
import type { Documents } from '../stores/documents/port'

interface Deps {
  readonly registry: Pick<Registry, 'plugins' | 'migrations' | 'entities' | 'tables'>
  readonly documents: Documents
  readonly clock: Clock
  /** Default: the version of this product. */
  readonly version?: string
}

/** The one row. */
const id = 'dav_newest'
/** Names in a message. The others are counted. */
const namedMax = 12

/**
 * Throws a StartError if a newer version has used this data and stores what this version does not know. Asked before anything is
 * changed: this version would drop those values from its indexes and leave them out of exports.
 */
export async function refuseDowngrade({ registry, documents, version = ownVersion }: Deps): Promise<void> {
  await documents.ensure([AppliedMigration, DataVersion])
  const known = new Set(registry.migrations.map(({ plugin, version: of }) => `${plugin}:${of}`))
  const applied = await documents.collection(AppliedMigration).find({ where: everything })
  const ahead = applied.filter((row) => registry.plugins.has(row.plugin) && !known.has(row.id))
  const newest = await documents.collection(DataVersion).get(id)
  const isOlder = newest !== null && Bun.semver.order(version, newest.version) < 0
  const unknown = isOlder ? unknownIn(registry, newest) : []
  if (ahead.length + unknown.length === 0) return
  const by = newest !== null && isOlder ? newest.version : (ahead.at(-1)?.product_version ?? '')
  const lost = [
    ...ahead.map((row) => `the migration ${row.id} (${row.summary}, by ${row.product_version})`),
    ...unknown,
  ]
  throw new StartError(
    `A newer version, ${by}, has used this data. This version, ${version}, does not know:\n  ${listed(lost)}\nIt would lose these. Nothing was changed. Start version ${by} or a newer one, or restore a backup from before it.`,
  )
}

const listed = (lost: readonly string[]) =>
  [
    ...lost.slice(0, namedMax),
    ...(lost.length > namedMax ? [`and ${lost.length - namedMax} more`] : []),
  ].join('\n  ')

/** Returns what a newer version stores and this one, with its plugins, does not. */
function unknownIn(
  registry: Deps['registry'],
  newest: { readonly fields: readonly string[]; readonly columns: readonly string[] },
): string[] {
  const own = stored(registry)
  const fields = new Set(own.fields)
  const columns = new Set(own.columns)
  return [
    ...newest.fields.filter((name) => !fields.has(name)).map((name) => `the field ${name}`),
    ...newest.columns.filter((name) => !columns.has(name)).map((name) => `the column ${name}`),
  ]
}

/** Returns what this version stores. */
function stored({ entities, tables }: Deps['registry']) {
  const documents = [...entities.values()].filter(({ store }) => store === 'documents')
  return {
    fields: documents
      .flatMap((entity) => fieldsOf(entity).map(({ name }) => `${entity.name}.${name}`))
      .sort(),
    columns: [...tables.values()]
      .flatMap(({ name, columns }) => Object.keys(columns).map((column) => `${name}.${column}`))
      .sort(),
  }
}

/**
 * Records that this version has used the data, unless a newer one has. The list is that of the last start with
 * this version.
 */
export async function recordVersion({
  registry,
  documents,
  clock,
  version = ownVersion,
}: Deps): Promise<void> {
  const rows = documents.collection(DataVersion)
  const newest = await rows.get(id)
  if (newest !== null && Bun.semver.order(version, newest.version) < 0) return
  const own = stored(registry)
  const stamp = clock.now().toISOString()
  const isSame = newest?.version === version && String(newest.fields) === String(own.fields)
  if (isSame && String(newest.columns) === String(own.columns)) return
  const set = { workspace_id: id, version, ...own, updated_date: stamp }
  await rows.updateOne(where.eq('id', id), { set, setOnInsert: { created_date: stamp } }, { upsert: true })
}
