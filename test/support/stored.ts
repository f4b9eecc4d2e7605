import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every row of an embedded store, printed by a process of its own. */
export async function dump(kind: 'sqlite' | 'chdb', path: string): Promise<string> {
  const run = Bun.spawn([process.execPath, join(import.meta.dir, 'dump-stores.ts'), kind, path], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await run.stdout.text()
  if ((await run.exited) !== 0) throw new Error(`${kind} ${path} could not be read`)
  return text
}

/** Every file below a folder. */
export const filesUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** The SQLite files below a folder. */
export const databasesUnder = (folder: string) =>
  filesUnder(folder).filter((file) => readFileSync(file).subarray(0, 15).toString() === 'SQLite format 3')

/** chDB's folder is the one that holds `store` and `metadata`. */
export function columnsFolder(folder: string): string {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isDirectory() && entry.name === 'metadata',
  )
  if (!found) throw new Error('there is no chDB folder')
  return found.parentPath
}
