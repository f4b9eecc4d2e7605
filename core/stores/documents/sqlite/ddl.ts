import { indexesOf, type StoreIndex } from '../indexes'
import type { Connection } from './connection'
import { type Layout, quote } from './layout'

const layouts = '"renown_layouts"'

/**
 * Creates the table and indexes of a layout. Moves stored rows if the declaration changed, so that the text
 * for callers does not contain a newly hidden field.
 */
export function ensureTable(connection: Connection, layout: Layout, onMoved?: (rows: number) => void): void {
  const { run } = connection
  run('BEGIN IMMEDIATE')
  try {
    const name = layout.entity.name
    const stored = storedFingerprint(connection, layout)
    if (stored === undefined) createTable(connection, layout)
    else if (stored !== layout.fingerprint) changeTable(connection, layout, onMoved)
    run(`INSERT OR REPLACE INTO ${layouts} VALUES (?, ?)`, [name, layout.fingerprint])
    ensureIndexes(connection, layout)
    run('COMMIT')
  } catch (error) {
    if (connection.db.inTransaction) run('ROLLBACK')
    throw error
  }
}

/** Returns the layout fingerprint of a stored table, or undefined if the table does not exist. */
export function storedFingerprint({ run, rows }: Connection, { entity }: Layout): unknown {
  run(
    `CREATE TABLE IF NOT EXISTS ${layouts} (entity TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID`,
  )
  return rows(`SELECT fingerprint FROM ${layouts} WHERE entity = ?`, [entity.name])[0]?.[0]
}

/** Returns the name of an index. It contains the table, because all tables of a file share one namespace. */
const indexName = (layout: Layout, index: StoreIndex) => `${layout.entity.name}:${index.name}`

/**
 * Creates the table. SQLite refuses a row whose column differs from its document, because figures are
 * computed from the columns.
 */
function createTable({ run }: Connection, { table, columns, conditions, entity }: Layout): void {
  const short = columns.slice(1).map(quote)
  const checks = conditions.map(
    ({ path, sql }) => `CONSTRAINT ${quote(`${entity.name}.${path} repeats the document`)} CHECK (${sql})`,
  )
  const definitions = ['"id" TEXT PRIMARY KEY NOT NULL', ...short, '"doc" TEXT NOT NULL', '"rest" TEXT']
  run(`CREATE TABLE ${table} (${[...definitions, ...checks].join(', ')})`)
}

/** Builds the table again from its documents. */
function changeTable(connection: Connection, layout: Layout, onMoved?: (rows: number) => void): void {
  const { rows, run } = connection
  const { table, columns } = layout
  const before = quote(`${layout.entity.name}:before`)
  run(`ALTER TABLE ${table} RENAME TO ${before}`)
  createTable(connection, layout)
  const names = [...columns.map(quote), '"doc"', '"rest"']
  const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  let moved = 0
  for (let last = -1; ; ) {
    const batch = rows(`SELECT rowid, doc, rest FROM ${before} WHERE rowid > ? ORDER BY rowid LIMIT 500`, [
      last,
    ])
    if (batch.length === 0) break
    for (const [rowid, doc, rest] of batch) {
      const parts = layout.split(layout.join(doc as string, rest as string | null))
      run(insert, [...parts.columns, parts.doc, parts.rest])
      last = rowid as number
      onMoved?.(++moved)
    }
  }
  run(`DROP TABLE ${before}`)
}

function ensureIndexes(connection: Connection, layout: Layout): void {
  const wanted = indexesOf(layout.entity)
  dropIndexes(connection, layout, new Set(wanted.map((index) => indexName(layout, index))))
  for (const index of wanted) {
    const keys = index.keys.map(
      ({ field, direction }) => `${quote(field)}${direction === 'desc' ? ' DESC' : ''}`,
    )
    const part = Object.entries(index.where).map(([field, value]) => `${quote(field)} = ${literal(value)}`)
    connection.run(
      `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quote(indexName(layout, index))}
       ON ${layout.table} (${keys.join(', ')})${part.length > 0 ? ` WHERE ${part.join(' AND ')}` : ''}`,
    )
  }
}

function dropIndexes({ rows, run }: Connection, layout: Layout, keep: ReadonlySet<string>): void {
  const present = rows(
    "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
    [layout.entity.name],
  )
  for (const [name] of present) if (!keep.has(String(name))) run(`DROP INDEX ${quote(String(name))}`)
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}
