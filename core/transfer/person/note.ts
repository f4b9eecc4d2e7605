import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseJson } from '../../contracts/bounded-json'
import { identifierKinds } from '../../contracts/people'

/** The file of a data folder with everybody who was erased, as digests. It goes with each backup. */
export const erasuresFile = 'erasures.ndjson'
/** The file of a data folder with the folders of its backups. */
export const backupFoldersFile = 'backups.json'

/** An erasure as it is noted next to the data, so that a restored backup can apply it again. */
const noted = v.object({
  id: v.string(),
  agency_id: v.string(),
  salt: v.string(),
  keys: v.array(
    v.object({ kind: v.picklist(identifierKinds), words: v.number(), digest: v.string(), quick: v.number() }),
  ),
  blocked: v.array(v.string()),
  kept: v.array(v.string()),
  erased_at: v.string(),
})
export type NotedErasure = v.InferOutput<typeof noted>

/** Returns the erasures that a folder notes. Empty without the file. */
export function readNote(folder: string): NotedErasure[] {
  const path = join(folder, erasuresFile)
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(noted, parseJson(line)))
}

/** Adds erasures to the note of a folder. One that it has already is replaced. */
export function addToNote(folder: string, erasures: readonly NotedErasure[]): void {
  const all = new Map([...readNote(folder), ...erasures].map((one) => [one.id, one]))
  writeWhole(join(folder, erasuresFile), [...all.values()].map((one) => `${JSON.stringify(one)}\n`).join(''))
}

/** Remembers where backups of a data folder are. */
export function rememberBackups(folder: string, parent: string): void {
  const known = new Set([...backupFolders(folder), parent])
  writeWhole(join(folder, backupFoldersFile), `${JSON.stringify([...known])}\n`)
}

/** Returns the folders in which backups were made. */
export function backupFolders(folder: string): string[] {
  const path = join(folder, backupFoldersFile)
  return existsSync(path) ? v.parse(v.array(v.string()), parseJson(readFileSync(path, 'utf8'))) : []
}

/** The name of a backup's folder, and of one that is being made. */
const backupName = /^renown-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z(?:\.partial)?$/

/** Notes erasures in every backup that can be reached. Returns their folders, and the places that could not be read or written. */
export function noteInBackups(folder: string, erasures: readonly NotedErasure[]) {
  const noted_in: string[] = []
  const missing_in: string[] = []
  for (const parent of backupFolders(folder)) {
    try {
      for (const name of readdirSync(parent)
        .filter((one) => backupName.test(one))
        .sort()) {
        addToNote(join(parent, name), erasures)
        noted_in.push(join(parent, name))
      }
    } catch {
      missing_in.push(parent)
    }
  }
  return { noted_in, missing_in }
}

/** Writes a file that only its owner can read, at once. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.draft`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}
