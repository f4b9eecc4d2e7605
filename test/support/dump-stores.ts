import { Database } from 'bun:sqlite'
import { Session } from 'chdb'

/**
 * Prints every row of every table of one embedded store, for a test to search: `bun test/support/dump-stores.ts
 * sqlite <file>` or `… chdb <folder>`. In a process of its own, because chDB takes one folder a process.
 */
const [kind, path = ''] = process.argv.slice(2)
if (kind === 'sqlite') dumpSqlite(path)
if (kind === 'chdb') dumpChdb(path)

function dumpSqlite(file: string): void {
  const db = new Database(file, { readonly: true })
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  for (const { name } of tables) {
    const columns = db.query<{ name: string; type: string }, []>(`PRAGMA table_xinfo("${name}")`).all()
    const list = columns.map((column) =>
      column.type === 'BLOB' || /^(doc|hidden)/.test(column.name)
        ? `CASE WHEN typeof("${column.name}") = 'blob' AND json_valid("${column.name}", 8) THEN json("${column.name}") ELSE "${column.name}" END`
        : `"${column.name}"`,
    )
    for (const row of db.query(`SELECT ${list.join(', ')} FROM "${name}"`).values()) say(name, row)
  }
  db.close()
}

function dumpChdb(folder: string): void {
  const session = new Session(folder)
  const tables = session.query(
    "SELECT database, name FROM system.tables WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')",
    'JSONEachRow',
  )
  for (const line of String(tables).trim().split('\n').filter(Boolean)) {
    const { database, name } = JSON.parse(line)
    say(name, String(session.query(`SELECT * FROM \`${database}\`.\`${name}\``, 'JSONEachRow')))
  }
  session.close()
}

function say(table: string, row: unknown): void {
  process.stdout.write(`${table} ${typeof row === 'string' ? row : JSON.stringify(row, bigints)}\n`)
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
