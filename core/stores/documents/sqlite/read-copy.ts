import { Database } from 'bun:sqlite'

/** Reads every page of a database file. Returns the rows of each table, and the errors of `PRAGMA integrity_check`. */
export function readCopy(path: string): {
  readonly rows: Readonly<Record<string, number>>
  readonly faults: readonly string[]
} {
  const db = new Database(path, { readonly: true })
  try {
    const faults = db
      .query('PRAGMA integrity_check(20)')
      .values()
      .map(([said]) => String(said))
      .filter((said) => said !== 'ok')
    const tables = db
      .query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .values()
      .map(([name]) => String(name))
    const rows: Record<string, number> = {}
    for (const name of tables) {
      const [counted] = db.query(`SELECT count(*) FROM "${name.replaceAll('"', '""')}"`).values()
      rows[name] = Number(counted?.[0])
    }
    return { rows, faults }
  } finally {
    db.close()
  }
}
