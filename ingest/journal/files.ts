import { constants, fdatasync, writeSync } from 'node:fs'
import fs from 'node:fs/promises'
import { promisify } from 'node:util'

/** The file calls of the journal, as an argument so that tests can make them fail. */
export interface FileCalls {
  makeDirectory(path: string): Promise<void>
  /** Creates a file that must not exist yet and opens it for writing. */
  create(path: string): Promise<OpenFile>
  truncate(path: string, bytes: number): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Makes creations and renames in a folder durable. */
  syncDirectory(path: string): Promise<void>
  list(path: string): Promise<string[]>
  size(path: string): Promise<number>
  read(path: string): Promise<Uint8Array>
  /** Bytes that are free on the disk of a folder. */
  free(path: string): Promise<number>
}

export interface OpenFile {
  /**
   * Writes at a position and returns the number of bytes written. Writes a small amount directly, because a
   * thread would cost more.
   */
  write(bytes: Uint8Array, position: number): number | Promise<number>
  datasync(): Promise<void>
  close(): Promise<void>
}

/** This many bytes are copied to the page cache within microseconds. */
const littleBytes = 64 * 1024
// Used instead of the handle's own method, which counts references at each call.
const datasync = promisify(fdatasync)

/** The real file system; files 0600, folders 0700. */
export const systemFiles: FileCalls = {
  async makeDirectory(path) {
    await fs.mkdir(path, { recursive: true, mode: 0o700 })
  },
  async create(path) {
    const handle = await fs.open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    return {
      write: (bytes, position) =>
        bytes.length <= littleBytes
          ? writeSync(handle.fd, bytes, 0, bytes.length, position)
          : handle.write(bytes, 0, bytes.length, position).then(({ bytesWritten }) => bytesWritten),
      datasync: () => datasync(handle.fd),
      close: () => handle.close(),
    }
  },
  async truncate(path, bytes) {
    const handle = await fs.open(path, constants.O_WRONLY)
    try {
      await handle.truncate(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),
  async syncDirectory(path) {
    const handle = await fs.open(path, constants.O_RDONLY)
    try {
      await handle.sync()
    } catch (error) {
      // Some file systems cannot sync a folder, and have no other way to do it.
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
    } finally {
      await handle.close()
    }
  },
  list: (path) => fs.readdir(path),
  size: async (path) => (await fs.stat(path)).size,
  read: (path) => fs.readFile(path),
  async free(path) {
    const { bavail, bsize } = await fs.statfs(path)
    return bavail * bsize
  },
}
