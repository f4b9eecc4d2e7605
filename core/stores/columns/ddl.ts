import type { TableDeclaration } from '../../contracts/plugin'
import { quoteName, quoteText } from '../../query/clickhouse-text'

/**
 * Returns the statement that creates a declared table. Types, engine and keys come from the product, never
 * from a caller.
 */
export function createTable(table: TableDeclaration, cluster?: string): string {
  const columns = Object.entries(table.columns).map(([name, type]) => `  ${quoteName(name)} ${type}`)
  const settings = Object.entries(table.settings ?? {}).map(
    ([name, value]) => `${name} = ${typeof value === 'number' ? value : quoteText(value)}`,
  )
  return [
    `CREATE TABLE IF NOT EXISTS ${quoteName(table.name)}${onCluster(cluster)} (\n${columns.join(',\n')}\n)`,
    `ENGINE = ${table.engine}`,
    ...(table.partitionBy ? [`PARTITION BY ${table.partitionBy}`] : []),
    `ORDER BY (${table.orderBy.map(quoteName).join(', ')})`,
    ...(table.ttl ? [`TTL ${table.ttl}`] : []),
    ...(settings.length > 0 ? [`SETTINGS ${settings.join(', ')}`] : []),
  ].join('\n')
}

/** Returns the statement that adds a new column of a declaration. */
export const addColumn = (table: string, column: string, type: string, cluster: string | undefined) =>
  `ALTER TABLE ${quoteName(table)}${onCluster(cluster)} ADD COLUMN IF NOT EXISTS ${quoteName(column)} ${type}`

/** Returns `ON CLUSTER` with the name of the cluster, or nothing without one. */
export const onCluster = (cluster: string | undefined): string =>
  cluster ? ` ON CLUSTER ${quoteName(cluster)}` : ''
