import { oncePer } from '../../../kit/once-per'
import { indexesOf, type StoreIndex } from '../indexes'
import type { Connection } from './connection'
import { rebuildSums, sumCreation, sumTriggers } from './day-sums'
import { type Layout, quote } from './layout'
import { rebuildTally, storedTriggers, tallyCreation, tallyTriggers } from './tallies'

const layouts = '"renown_layouts"'

/**
 * Creates the tables that do not exist yet, all of them in one transaction. Updates the indexes of each table that lacks
 * one or has one too many, and counts its rows again if its counts are not as declared. Rewrites the rows of a table if the declaration changed, so that the text for callers does not
 * contain a newly hidden field. Writes nothing if all tables are as declared.
 */
export function ensureTables(
  connection: Connection,
  wanted: readonly Layout[],
  onMovedOf: (layout: Layout) => ((rows: number) => void) | undefined,
): void {
  const stored = storedFingerprints(connection)
  const isNew = ({ entity }: Layout) => !stored.has(entity.name)
  const creations = wanted.filter(isNew).map(creationOf)
  if (creations.length > 0) inTransaction(connection, () => connection.db.run(creations.join('')))
  const indexes = storedIndexes(connection)
  const triggers = storedTriggers(connection)
  for (const layout of wanted) {
    if (isNew(layout)) continue
    const isChanged = stored.get(layout.entity.name) !== layout.fingerprint
    const hasIndexes = isSame(indexNames(layout), indexes.get(layout.entity.name) ?? [])
    const isCounted = hasTriggers(layout, triggers.get(layout.entity.name) ?? [])
    if (!isChanged && hasIndexes && isCounted) continue
    inTransaction(connection, () => {
      if (isChanged) changeTable(connection, layout, onMovedOf(layout))
      connection.run(fingerprintSql(layout))
      ensureIndexes(connection, layout)
      if (isChanged || !isCounted) rebuildCounts(connection, layout)
    })
  }
}

/**
 * Whether the stored triggers are the declared ones. A table that was built again has lost them, so counts and sums that missed
 * a write never pass for current ones.
 */
function hasTriggers(layout: Layout, stored: readonly string[]): boolean {
  const wanted = [...tallyTriggers(layout), ...sumTriggers(layout)]
  return wanted.length === stored.length && wanted.every((name) => stored.includes(name))
}

function rebuildCounts(connection: Connection, layout: Layout): void {
  for (const trigger of storedTriggers(connection).get(layout.entity.name) ?? [])
    connection.run(`DROP TRIGGER ${quote(trigger)}`)
  rebuildTally(connection, layout)
  rebuildSums(connection, layout)
}

function inTransaction({ db, run }: Connection, work: () => void): void {
  run('BEGIN IMMEDIATE')
  try {
    work()
    run('COMMIT')
  } catch (error) {
    if (db.inTransaction) run('ROLLBACK')
    throw error
  }
}

/** Returns the layout fingerprint of each stored table by entity. */
export function storedFingerprints({ run, rows }: Connection): ReadonlyMap<string, unknown> {
  run(
    `CREATE TABLE IF NOT EXISTS ${layouts} (entity TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) WITHOUT ROWID`,
  )
  return new Map(
    rows(`SELECT entity, fingerprint FROM ${layouts}`).map(([entity, is]) => [String(entity), is]),
  )
}

/** Returns the names of the declared indexes of each stored table by entity. */
function storedIndexes({ rows }: Connection): ReadonlyMap<string, readonly string[]> {
  const stored = rows("SELECT tbl_name, name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
  const byTable = Map.groupBy(stored, ([table]) => String(table))
  return new Map([...byTable].map(([table, list]) => [table, list.map(([, name]) => String(name))]))
}

const isSame = (wanted: ReadonlySet<string>, stored: readonly string[]) =>
  wanted.size === stored.length && stored.every((name) => wanted.has(name))

/** Returns the statements that create a table with its indexes and record its fingerprint. */
const creationOf = oncePer((layout: Layout): string =>
  [
    tableSql(layout),
    fingerprintSql(layout),
    ...indexesOf(layout.entity).map((one) => indexSql(layout, one)),
    ...tallyCreation(layout),
    ...sumCreation(layout),
  ]
    .map((sql) => `${sql};\n`)
    .join(''),
)

const fingerprintSql = ({ entity, fingerprint }: Layout) =>
  `INSERT OR REPLACE INTO ${layouts} VALUES (${literal(entity.name)}, ${literal(fingerprint)})`

/** Returns the name of an index. It contains the table, because all tables of a file share one namespace. */
const indexName = (layout: Layout, index: StoreIndex) => `${layout.entity.name}:${index.name}`

const indexNames = (layout: Layout): ReadonlySet<string> =>
  new Set(indexesOf(layout.entity).map((index) => indexName(layout, index)))

/**
 * Returns the statement that creates a table. SQLite refuses a row whose column differs from its document, because
 * figures are computed from the columns.
 */
function tableSql({ table, columns, conditions, entity }: Layout): string {
  const short = columns.slice(1).map(quote)
  const checks = conditions.map(
    ({ path, sql }) => `CONSTRAINT ${quote(`${entity.name}.${path} repeats the document`)} CHECK (${sql})`,
  )
  const definitions = ['"id" TEXT PRIMARY KEY NOT NULL', ...short, '"doc" TEXT NOT NULL', '"rest" TEXT']
  return `CREATE TABLE ${table} (${[...definitions, ...checks].join(', ')})`
}

/** Builds the table again from its documents. */
function changeTable(connection: Connection, layout: Layout, onMoved?: (rows: number) => void): void {
  const { rows, run } = connection
  const { table, columns } = layout
  const before = quote(`${layout.entity.name}:before`)
  run(`ALTER TABLE ${table} RENAME TO ${before}`)
  run(tableSql(layout))
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
  dropIndexes(connection, layout, indexNames(layout))
  for (const index of indexesOf(layout.entity)) connection.run(indexSql(layout, index))
}

function indexSql(layout: Layout, index: StoreIndex): string {
  const keys = index.keys.map(
    ({ field, direction }) => `${quote(field)}${direction === 'desc' ? ' DESC' : ''}`,
  )
  const part = Object.entries(index.where).map(([field, value]) => `${quote(field)} = ${literal(value)}`)
  return `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quote(indexName(layout, index))}
    ON ${layout.table} (${keys.join(', ')})${part.length > 0 ? ` WHERE ${part.join(' AND ')}` : ''}`
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
