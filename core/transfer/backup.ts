import { constants } from 'node:fs'
import { chmod, copyFile, exists, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isRefusal, messageOf, Refusal } from '../contracts/errors'
import type { TableDeclaration } from '../contracts/plugin'
import { hitsTable, touchedTable } from '../contracts/traffic'
import type { Clock } from '../process/clock'
import { version } from '../process/version'
import type { ColumnsStore } from '../stores/columns/port'
import type { Documents } from '../stores/documents/port'
import type { SqliteDocuments } from '../stores/documents/sqlite'
import { type BackupCheck, checkInProcess } from './check-process'
import { backupFoldersFile, erasuresFile, rememberBackups } from './person/note'

export interface BackupDeps {
  readonly documents: Documents
  readonly columns: ColumnsStore
  readonly tables: readonly TableDeclaration[]
  /** The data folder. */
  readonly folder: string
  readonly clock: Clock
  /** The migrations that ran on these data. */
  readonly migrations: () => Promise<readonly string[]>
  /** Opens a copy in a process of its own and reads all of it. Tests replace it. */
  readonly check?: (folder: string) => Promise<BackupCheck>
}

/** A finished backup. */
export interface Backup extends BackupCheck {
  /** The new folder. It is a data folder: a start with it as `RENOWN_DATA_DIR` is the restore. */
  readonly folder: string
  readonly bytes: number
  /** Older backups that were deleted. */
  readonly removed: readonly string[]
  /** What is on servers and not in the backup. */
  readonly elsewhere: readonly string[]
}

const nameForm = /^renown-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/
const partial = '.partial'
/** Files of the data folder with keys. */
const keyFiles = ['secrets.key', 'signing.keys']
/** Files about erased people, and where backups are. */
const noteFiles = [erasuresFile, backupFoldersFile]
/** What a running process alone needs. */
const isTransient = (name: string) => /\.(?:sock|lock|pid|draft)$/.test(name)

let isRunning = false

/**
 * Copies everything of an embedded installation into a new folder while it runs. The order makes it one state. The journal is
 * first, so that every hit that was accepted before is in it or in the columns. Receipts in the columns keep a restored
 * journal from counting a hit twice. Then come tables that are made of hits, the hits, and the documents. The copy is opened
 * and read before it gets its name, and only then older ones are deleted.
 */
export async function backup(deps: BackupDeps, parent: string, keep: number | null): Promise<Backup> {
  if (deps.documents.kind !== 'sqlite')
    throw new Refusal('conflict', 'The documents are in MongoDB. Back them up with mongodump.')
  if (isRunning) throw new Refusal('conflict', 'A backup is being made already.')
  isRunning = true
  try {
    return await make(deps, resolve(parent), keep)
  } finally {
    isRunning = false
  }
}

async function make(deps: BackupDeps, parent: string, keep: number | null): Promise<Backup> {
  const name = `renown-${deps.clock.now().toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const folder = join(parent, name)
  const draft = folder + partial
  if (isInside(parent, deps.folder))
    throw new Refusal(
      'conflict',
      `${parent} is inside the data folder. Choose a folder outside, best on another disk.`,
    )
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 })
    await removeDrafts(parent)
    await mustFit(deps.folder, parent)
    await mkdir(draft, { mode: 0o700 })
    rememberBackups(deps.folder, parent)
  } catch (error) {
    if (isRefusal(error)) throw error
    throw new Refusal('conflict', `${parent} cannot take a backup: ${messageOf(error)}.`)
  }
  try {
    await copyAll(deps, draft)
    const checked = await (deps.check ?? checkInProcess)(draft)
    if (checked.faults.length > 0)
      throw new Refusal(
        'conflict',
        `The backup was made and cannot be read: ${checked.faults.join('; ')}. Nothing was kept.`,
      )
    await sealTree(draft)
    await rename(draft, folder)
    await syncFolder(parent)
    const bytes = await bytesIn(folder)
    const removed = keep === null ? [] : await removeOlder(parent, keep)
    const elsewhere =
      deps.columns.kind === 'chdb' ? [] : ['The columns are on a ClickHouse server. Use its BACKUP.']
    return { folder, bytes, removed, elsewhere, ...checked }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function copyAll({ documents, columns, tables, folder, clock, migrations }: BackupDeps, to: string) {
  const ingest = join(folder, 'ingest')
  await copyTree(join(ingest, 'segments'), join(to, 'ingest', 'segments'))
  await copyTree(ingest, join(to, 'ingest'), (name) => name !== 'segments')
  await copyTree(join(folder, 'imports'), join(to, 'imports'))
  if (columns.kind === 'chdb') {
    const last: readonly string[] = [touchedTable.name, hitsTable.name]
    const derived = tables.map((table) => table.name).filter((name) => !last.includes(name))
    await columns.snapshot(join(to, 'columns'), [...derived, ...last])
  }
  await (documents as SqliteDocuments).backup(join(to, 'documents.sqlite'))
  for (const name of [...keyFiles, ...noteFiles]) await copyIfThere(join(folder, name), join(to, name))
  const manifest = {
    renown_backup: 1,
    version,
    made_at: clock.now().toISOString(),
    columns: columns.kind,
    migrations: await migrations(),
  }
  await Bun.write(join(to, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Copies a folder. Files that are moved away in the meantime are in the folder that is copied next. */
async function copyTree(
  from: string,
  to: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<void> {
  if (!(await exists(from))) return
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isWanted(entry.name) || isTransient(entry.name)) continue
    if (entry.isDirectory()) await copyTree(join(from, entry.name), join(to, entry.name))
    else if (entry.isFile()) await copyIfThere(join(from, entry.name), join(to, entry.name))
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(ifGone(undefined))
}

/** Refuses before anything is written if the disk has no room for a second copy. */
async function mustFit(folder: string, parent: string): Promise<void> {
  const { bavail, bsize } = await statfs(parent)
  const needed = await bytesIn(folder)
  if (bavail * bsize > needed) return
  const mib = (bytes: number) => Math.ceil(bytes / 2 ** 20)
  throw new Refusal(
    'conflict',
    `The backup needs up to ${mib(needed)} MiB, and the disk of ${parent} has ${mib(bavail * bsize)} MiB free.`,
  )
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(ifGone([]))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await bytesIn(path)
    else if (entry.isFile()) bytes += await stat(path).then(({ size }) => size, ifGone(0))
  }
  return bytes
}

/** A file may go away while a running product is read. Anything else that keeps it from being read is a fault. */
const ifGone =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if ((error as { code?: unknown }).code === 'ENOENT') return otherwise
    throw error
  }

/** Makes every file durable, and readable for its owner only. */
async function sealTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      await chmod(path, 0o700)
      await sealTree(path)
    } else if (entry.isFile()) {
      await chmod(path, 0o600)
      const file = await open(path, 'r')
      await file.sync().finally(() => file.close())
    }
  }
  await syncFolder(folder)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Removes what an interrupted backup left. */
async function removeDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent))
    if (name.endsWith(partial) && nameForm.test(name.slice(0, -partial.length)))
      await rm(join(parent, name), { recursive: true, force: true })
}

/** Deletes the oldest finished backups, so that `keep` remain. Nothing else in the folder is touched. */
async function removeOlder(parent: string, keep: number): Promise<string[]> {
  const finished: string[] = []
  for (const name of (await readdir(parent)).sort())
    if (nameForm.test(name) && (await exists(join(parent, name, 'backup.json')))) finished.push(name)
  const old = finished.slice(0, Math.max(0, finished.length - keep))
  for (const name of old) await rm(join(parent, name), { recursive: true, force: true })
  return old.map((name) => join(parent, name))
}

function isInside(path: string, folder: string): boolean {
  const whole = resolve(folder)
  for (let at = path; at !== dirname(at); at = dirname(at)) if (at === whole) return true
  return false
}
