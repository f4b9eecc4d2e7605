import { Database } from 'bun:sqlite'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { messageOf } from '../contracts/errors'
import { StartError } from './start-error'

export interface Holder {
  readonly pid: number
  readonly started_at: string
  readonly doing: string
  /** Process ids of the gateway and the ingest, if they are separate processes. */
  readonly parts?: Readonly<Partial<Record<string, number>>>
}

export interface DataFolder {
  readonly path: string
  /** Path of the command socket: in the folder, or elsewhere if the path is too long for a socket. */
  readonly socket: string
  release(): void
}

/** What a holder does that releases the folder soon. */
export const stoppingText = 'stopping'

/** The data folder of a process that runs others in it. */
interface SharedFolder extends DataFolder {
  /** Stores the process ids of the parts next to the lock. */
  setParts(parts: NonNullable<Holder['parts']>): void
  /** Stores that this process is stopping, so that the next one waits for it. */
  setStopping(): void
}

/**
 * Creates the data folder (0700) and locks it for this process. The lock is a kernel lock, through SQLite, so
 * it ends with its process. A file next to it names its holder.
 */
export function lockDataFolder(directory: string, doing: string, now: Date): SharedFolder {
  const path = makeFolder(directory)
  const lock = takeLock(path)
  const holder: Holder = { pid: process.pid, started_at: now.toISOString(), doing }
  const note = (noted: Holder) =>
    writeFileSync(holderFile(path), `${JSON.stringify(noted)}\n`, { mode: 0o600 })
  let held: Holder['parts']
  note(holder)
  return {
    path,
    socket: socketPath(path),
    setParts: (parts) => {
      held = parts
      note({ ...holder, parts })
    },
    setStopping: () => note({ ...holder, doing: stoppingText, ...(held ? { parts: held } : {}) }),
    release() {
      rmSync(holderFile(path), { force: true })
      lock.close()
    },
  }
}

/**
 * Locks a part of a data folder, `gateway` or `ingest`, for this process. Waits while a process of an earlier run
 * still stops. Returns the function that releases the lock.
 */
export async function lockPart(path: string, part: string, waitMs = 12_000): Promise<() => void> {
  const until = performance.now() + waitMs
  for (;;) {
    const lock = tryLock(join(path, `${part}.lock`))
    if (lock) return () => lock.close()
    if (performance.now() > until) {
      throw new StartError(
        `Another process still runs the ${part} of the data folder ${path}. Stop it first.`,
        { held: true },
      )
    }
    await Bun.sleep(20)
  }
}

/** Whether Renown was started in this folder before. False for an empty or missing folder. */
export const isDataFolder = (directory: string): boolean =>
  existsSync(join(resolve(directory), 'renown.lock'))

/** Throws a StartError unless Renown was started in this folder before. Creates nothing. */
export function requireDataFolder(directory: string): void {
  if (isDataFolder(directory)) return
  throw new StartError(
    `There is no Renown installation in the data folder ${resolve(directory)}. Set RENOWN_DATA_DIR to the folder of your installation, or run \`bun start\` to create one.`,
  )
}

/**
 * Returns who holds the folder, according to the file next to the lock. Null if there is no file or that
 * process has ended.
 */
export function holderOf(directory: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(holderFile(resolve(directory)), 'utf8')) as Holder
    process.kill(holder.pid, 0)
    return holder
  } catch (error) {
    return isCode(error, 'EPERM') ? readHolder(directory) : null
  }
}

/**
 * Returns the path of a socket. Sockets take paths of about 100 bytes, so a deeper folder gets its socket in a
 * private temporary folder.
 */
export function socketPath(directory: string, name = 'renown.sock'): string {
  const inside = join(resolve(directory), name)
  if (Buffer.byteLength(inside) <= 100) return inside
  const digest = Bun.hash(inside).toString(36)
  return join(tmpdir(), `renown-${userInfo().uid}`, `${digest}.sock`)
}

/** Creates the folder of a socket: the data folder, or a private one in the system's temp folder. Every process that listens on one needs it. */
export function makeSocketFolder(socket: string): void {
  const folder = dirname(socket)
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = statSync(folder)
  if (uid === process.getuid?.() && (mode & 0o077) === 0) return
  throw new StartError(`The folder ${folder} of the command socket must belong to you alone (mode 0700).`)
}

function makeFolder(directory: string): string {
  const path = resolve(directory)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((statSync(path).mode & 0o077) !== 0) closeToOthers(path)
    return path
  } catch (error) {
    if (error instanceof StartError) throw error
    const reason = messageOf(error)
    throw new StartError(
      `The data folder ${path} cannot be written (${reason}). Give it to the user who runs Renown, or set RENOWN_DATA_DIR.`,
    )
  }
}

/**
 * Sets the mode of a folder that is ours or empty. A mistake such as RENOWN_DATA_DIR=/tmp must not change a shared
 * folder.
 */
function closeToOthers(path: string): void {
  const names = readdirSync(path).filter((name) => name !== 'lost+found')
  if (names.length > 0 && !names.includes('renown.lock')) {
    throw new StartError(
      `The folder ${path} is readable by other users and contains files of another program. Set RENOWN_DATA_DIR to a folder that only Renown uses.`,
    )
  }
  chmodSync(path, 0o700)
}

function takeLock(path: string): Database {
  const lock = tryLock(join(path, 'renown.lock'))
  if (lock) return lock
  const holder = holderOf(path)
  const who = holder
    ? `process ${holder.pid} (${holder.doing}, since ${holder.started_at})`
    : 'another process'
  throw new StartError(
    `The data folder ${path} is in use by ${who}. Stop it first, or set RENOWN_DATA_DIR to another folder.`,
    { held: true },
  )
}

/** Returns null if another process has the lock. */
function tryLock(file: string): Database | null {
  const lock = new Database(file, { create: true })
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    return lock
  } catch (error) {
    lock.close()
    if (!isCode(error, 'SQLITE_BUSY')) throw error
    return null
  }
}

function readHolder(directory: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderFile(resolve(directory)), 'utf8')) as Holder
  } catch {
    return null
  }
}

const holderFile = (path: string) => join(path, 'renown.pid')

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && (error as Error & { code: unknown }).code === code
