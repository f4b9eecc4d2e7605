import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** What was sent, by source, in a file. It survives the end of the process and of the machine. */
export interface ShipState {
  /** Returns the positions of a source, or null if it was never sent. */
  read<T>(source: string): T | null
  write(source: string, positions: unknown): void
  close(): void
}

/** Opens the state in a folder. Throws if another process has it open: two would send each line twice. */
export function openState(folder: string): ShipState {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new Database(join(folder, 'positions.sqlite'), { create: true })
  try {
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('PRAGMA journal_mode = WAL')
    database.run('PRAGMA synchronous = FULL')
    database.run('CREATE TABLE IF NOT EXISTS source (name TEXT PRIMARY KEY, positions TEXT NOT NULL)')
    database.run('BEGIN IMMEDIATE')
    database.run('COMMIT')
  } catch (error) {
    database.close()
    if (!String(error).includes('locked')) throw error
    throw new Error(`Another process uses ${folder}. Give each one its own --state folder.`, { cause: error })
  }
  const read = database.query<{ positions: string }, [string]>('SELECT positions FROM source WHERE name = ?')
  const write = database.query('INSERT OR REPLACE INTO source VALUES (?, ?)')
  return {
    read: <T>(source: string) => {
      const row = read.get(source)
      return row === null ? null : (JSON.parse(row.positions) as T)
    },
    write: (source, positions) => void write.run(source, JSON.stringify(positions)),
    close: () => database.close(),
  }
}
