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

/** How long a server of the cluster may take to answer a statement for all of them. Less than the limit of a request. */
const clusterWaitSeconds = 10

/**
 * Settings of a statement that removes rows. On a cluster it does not wait for a replica that is absent: that one finds the
 * removal in Keeper when it is back. By default it would wait for three minutes, and the client gives up before.
 */
export const removalSettings = (cluster: string | undefined): string =>
  cluster === undefined
    ? 'mutations_sync = 2'
    : `mutations_sync = 1, distributed_ddl_task_timeout = ${clusterWaitSeconds}, distributed_ddl_output_mode = 'null_status_on_timeout'`
