import type { TableDeclaration } from '../../contracts/plugin'
import { ownTable } from '../../contracts/traffic'
import { quoteName } from '../../query/clickhouse-text'
import { clusterTable } from './cluster'
import { addColumn, createTable, onCluster } from './ddl'
import type { ColumnsStore } from './port'

interface Runner {
  query: ColumnsStore['query']
  command(sql: string): Promise<unknown>
}

/**
 * Creates missing tables, adds new columns of declarations, and sets their expiry. It never drops a table or a
 * column.
 */
export async function createTables(
  tables: readonly TableDeclaration[],
  run: Runner,
  cluster?: string,
): Promise<void> {
  for (const table of tables) {
    for (const sql of cluster ? clusterTable(table, cluster) : [createTable(table)]) await run.command(sql)
  }
  if (tables.length === 0) return
  const rows = await run.query<{ table: string; name: string }>(
    'SELECT table, name FROM system.columns WHERE database = currentDatabase() AND table IN {tables:Array(String)}',
    { tables: tables.map((table) => table.name) },
  )
  const standing = new Set(rows.map((row) => `${row.table}.${row.name}`))
  for (const table of tables) {
    for (const [column, type] of Object.entries(table.columns)) {
      if (standing.has(`${table.name}.${column}`)) continue
      if (cluster) await run.command(addColumn(ownTable(table.name, cluster), column, type, cluster))
      await run.command(addColumn(table.name, column, type, cluster))
    }
  }
  await settleExpiry(tables, run, cluster)
}

/**
 * Applies a changed expiry to stored rows. Rewrites nothing if there was no expiry before, or if there is
 * none now.
 */
async function settleExpiry(tables: readonly TableDeclaration[], run: Runner, cluster: string | undefined) {
  const byName = new Map(tables.map((table) => [ownTable(table.name, cluster), table]))
  const rows = await run.query<{ name: string; engine: string }>(
    'SELECT name, engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name IN {tables:Array(String)}',
    { tables: [...byName.keys()] },
  )
  for (const { name, engine } of rows) {
    const wanted = byName.get(name)?.ttl?.replace(/INTERVAL (\d+) DAY/g, 'toIntervalDay($1)')
    const alter = `ALTER TABLE ${quoteName(name)}${onCluster(cluster)}`
    const hasOne = engine.includes(' TTL ')
    if (wanted && !engine.includes(` TTL ${wanted}`)) await run.command(`${alter} MODIFY TTL ${wanted}`)
    else if (!wanted && hasOne) await run.command(`${alter} REMOVE TTL`)
  }
}
