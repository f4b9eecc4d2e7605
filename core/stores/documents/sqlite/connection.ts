import { Database, type Statement } from 'bun:sqlite'
import type { SqlValue } from '../../../query/to-sqlite'
import { UnavailableError } from '../port'
import { addFunctions } from './functions'

/**
 * A connection with Renown's SQL functions and a cache of prepared statements. The least used statements are
 * closed.
 */
export interface Connection {
  readonly db: Database
  rows(sql: string, params?: readonly SqlValue[]): unknown[][]
  run(sql: string, params?: readonly SqlValue[]): { readonly changes: number; readonly rowid: number }
  close(): void
}

const statementsMax = 400

/**
 * Opens the writer. It uses WAL, and a commit is on disk when it returns. With an image, the store is in memory and
 * starts with its content.
 */
export function openWriter(path: string, image?: Uint8Array): Connection {
  const db = image ? Database.deserialize(image) : new Database(path, { create: true, readwrite: true })
  for (const pragma of [
    'page_size = 8192',
    'journal_mode = WAL',
    'synchronous = FULL',
    'busy_timeout = 5000',
    'cache_size = -65536',
    'temp_store = MEMORY',
    // The Worker writes checkpoints. This is the limit if it is too slow.
    'wal_autocheckpoint = 8000',
  ]) {
    db.run(`PRAGMA ${pragma}`)
  }
  return connection(db)
}

/** Opens a read-only connection. Each row of a scan calls `pass`, which throws to stop the statement. */
export function openReader(path: string, pass: () => 1 = () => 1): Connection {
  const db = new Database(path, { readonly: true })
  for (const pragma of [
    'query_only = ON',
    'busy_timeout = 5000',
    'cache_size = -32768',
    'temp_store = MEMORY',
  ]) {
    db.run(`PRAGMA ${pragma}`)
  }
  return connection(db, pass)
}

function connection(db: Database, pass: () => 1 = () => 1): Connection {
  addFunctions(db, pass)
  const statements = new Map<string, Statement>()
  let closed = false
  const prepared = (sql: string): Statement => {
    if (closed) throw new UnavailableError('The database is closed')
    const known = statements.get(sql)
    if (known) {
      statements.delete(sql)
      statements.set(sql, known)
      return known
    }
    const statement = db.prepare(sql)
    statements.set(sql, statement)
    if (statements.size > statementsMax) {
      const [oldest] = statements
      oldest?.[1].finalize()
      if (oldest) statements.delete(oldest[0])
    }
    return statement
  }
  return {
    db,
    rows: (sql, params = []) => prepared(sql).values(...(params as never[])) as unknown[][],
    run: (sql, params = []) => {
      const { changes, lastInsertRowid } = prepared(sql).run(...(params as never[]))
      return { changes, rowid: Number(lastInsertRowid) }
    },
    close: () => {
      closed = true
      for (const statement of statements.values()) statement.finalize()
      statements.clear()
      db.close()
    },
  }
}
