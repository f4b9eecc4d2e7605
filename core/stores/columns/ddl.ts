import type { TableDeclaration } from '../../contracts/plugin'
import type { ColumnsStore } from './port'

interface Runner {
  query: ColumnsStore['query']
  command(sql: string): Promise<unknown>
}

/** Creates the tables that are missing and adds the columns that declarations gained. Nothing is ever dropped. */
export async function createTables(tables: readonly TableDeclaration[], run: Runner): Promise<void> {
  for (const table of tables) await run.command(createTable(table))
  if (tables.length === 0) return
  const rows = await run.query<{ table: string; name: string }>(
    'SELECT table, name FROM system.columns WHERE database = currentDatabase() AND table IN {tables:Array(String)}',
    { tables: tables.map((table) => table.name) },
  )
  const standing = new Set(rows.map((row) => `${row.table}.${row.name}`))
  for (const table of tables) {
    for (const [column, type] of Object.entries(table.columns)) {
      if (!standing.has(`${table.name}.${column}`)) await run.command(addColumn(table.name, column, type))
    }
  }
}

/** The statement that creates a declared table. Types, engine and keys are the product's own words, never a caller's. */
export function createTable(table: TableDeclaration): string {
  const columns = Object.entries(table.columns).map(([name, type]) => `  ${quoteName(name)} ${type}`)
  const settings = Object.entries(table.settings ?? {}).map(
    ([name, value]) => `${name} = ${typeof value === 'number' ? value : quoteText(value)}`,
  )
  return [
    `CREATE TABLE IF NOT EXISTS ${quoteName(table.name)} (\n${columns.join(',\n')}\n)`,
    `ENGINE = ${table.engine}`,
    ...(table.partitionBy ? [`PARTITION BY ${table.partitionBy}`] : []),
    `ORDER BY (${table.orderBy.map(quoteName).join(', ')})`,
    ...(table.ttl ? [`TTL ${table.ttl}`] : []),
    ...(settings.length > 0 ? [`SETTINGS ${settings.join(', ')}`] : []),
  ].join('\n')
}

const addColumn = (table: string, column: string, type: string) =>
  `ALTER TABLE ${quoteName(table)} ADD COLUMN IF NOT EXISTS ${quoteName(column)} ${type}`

/** A name as ClickHouse reads it back, whatever it holds. */
export const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, (sign) => `\\${sign}`)}\``

/** A string literal. */
export const quoteText = (text: string): string => `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`
