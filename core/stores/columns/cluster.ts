import type { TableDeclaration } from '../../contracts/plugin'
import { ownTable } from '../../contracts/traffic'
import { quoteName, quoteText } from '../../query/clickhouse-text'
import { createTable, onCluster } from './ddl'

/**
 * Returns the tables of a declared table on a cluster. One is a replicated table on every server with the
 * rows of its shard. The other, with the declared name, reads all shards and distributes inserts.
 */
export function clusterTable(table: TableDeclaration, cluster: string): string[] {
  const own = { ...table, name: ownTable(table.name, cluster), engine: replicated(table.engine) }
  const settings = ownSettings(table.settings)
  return [
    createTable({ ...own, ...(settings ? { settings } : {}) }, cluster),
    [
      `CREATE TABLE IF NOT EXISTS ${quoteName(table.name)}${onCluster(cluster)} AS ${quoteName(own.name)}`,
      `ENGINE = Distributed(${quoteText(cluster)}, currentDatabase(), ${quoteText(own.name)}, ${shardOf(table)})`,
    ].join('\n'),
  ]
}

/** `SummingMergeTree(hits)` → `ReplicatedSummingMergeTree('<path in Keeper>', '{replica}', hits)`. */
function replicated(engine: string): string {
  const found = /^(\w*MergeTree)(?:\((.*)\))?$/s.exec(engine)
  if (!found) throw new Error(`The engine ${engine} cannot be replicated`)
  const [, name, args] = found
  return `Replicated${name}('/clickhouse/tables/{shard}/{database}/{table}', '{replica}'${args ? `, ${args}` : ''})`
}

/** Returns the sharding key. Rows with the same key are on one shard, because a replacing table needs that. */
function shardOf({ columns, orderBy }: TableDeclaration): string {
  const column = 'site_id' in columns ? 'site_id' : orderBy[0]
  return column === undefined ? 'rand()' : `cityHash64(${quoteName(column)})`
}

function ownSettings(settings: TableDeclaration['settings']): TableDeclaration['settings'] {
  if (!settings) return settings
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      // For a replicated table, Keeper stores the deduplication tokens of all replicas.
      name === 'non_replicated_deduplication_window' ? 'replicated_deduplication_window' : name,
      value,
    ]),
  )
}

/** Settings for connections to a cluster: an insert is complete when it is answered, and subqueries read all shards. */
export const clusterSettings = {
  distributed_foreground_insert: 1,
  distributed_product_mode: 'global',
} as const
