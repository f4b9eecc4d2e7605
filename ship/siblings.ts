import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import type { FilePosition } from './position'

/** How many first bytes recognize a file. */
const printBytes = 1_024

/** An open file. */
export interface OpenFile {
  readonly path: string
  readonly handle: number
  readonly device: number
  readonly inode: number
  /** Tells it from other files, also from one that gets its inode later. */
  readonly key: string
}

/** Tells a file from others. */
export const keyOf = ({ dev, ino, birthtimeMs }: Stats): string => `${dev}:${ino}:${birthtimeMs}`

/** Opens a file. Returns null if it is missing or cannot be read yet. */
export function openFile(path: string): OpenFile | null {
  try {
    const handle = openSync(path, 'r')
    const stats = fstatSync(handle)
    return { path, handle, device: stats.dev, inode: stats.ino, key: keyOf(stats) }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

/** Returns what recognizes the content of a file of which so many bytes are known. */
export function printOf(handle: number, known: number): FilePosition['print'] {
  const wanted = Buffer.alloc(Math.min(printBytes, known))
  const length = readSync(handle, wanted, 0, wanted.length, 0)
  return printed(wanted.subarray(0, length))
}

/** Returns what recognizes a content by its first bytes. */
export const printed = (bytes: Uint8Array): FilePosition['print'] => ({
  length: bytes.length,
  hash: createHash('sha256').update(bytes).digest('hex'),
})

/** Whether a file still begins with the known content, and is at least so long as what was sent of it. */
export function isSame(handle: number, { print, offset, pending = 0 }: FilePosition): boolean {
  if (fstatSync(handle).size < Math.max(offset, pending)) return false
  return printOf(handle, print.length).hash === print.hash
}

/** Whether two files begin with the same bytes. An empty file is a copy of none. */
export function isCopyOf(file: OpenFile, other: OpenFile): boolean {
  const known = Math.min(fstatSync(file.handle).size, fstatSync(other.handle).size)
  return known > 0 && printOf(file.handle, known).hash === printOf(other.handle, known).hash
}

const lookBackBytes = 65_536

/** Returns the offset after the last line end of a file. */
export function lastLineEnd(handle: number): number {
  const { size } = fstatSync(handle)
  const last = Buffer.alloc(Math.min(lookBackBytes, size))
  const length = readSync(handle, last, 0, last.length, size - last.length)
  return size - length + last.subarray(0, length).lastIndexOf(10) + 1
}

const compressed = new Set(['.gz', '.zst', '.xz', '.bz2', '.lz4', '.zip'])

/**
 * Opens the files into which logrotate and others rename or copy a log, oldest first: `access.log.1`,
 * `access.log-20261123`, `access-20261123.log`. Compressed ones are left out. The caller closes them.
 */
export function openSiblings(path: string): OpenFile[] {
  const isSibling = siblingOf(path)
  return openAll(path, (name) => !compressed.has(extname(name)) && isSibling(name))
}

/** Opens the files beside a log that gzip made of rotated ones. The caller closes them. */
export function openZipped(path: string): OpenFile[] {
  const isSibling = siblingOf(path)
  return openAll(path, (name) => extname(name) === '.gz' && (isSibling(name) || isSibling(name.slice(0, -3))))
}

/** Returns whether a name is one that a log gets when it is rotated. */
function siblingOf(path: string): (name: string) => boolean {
  const base = basename(path)
  const extension = extname(path)
  const stem = extension === '' ? base : base.slice(0, -extension.length)
  return (name) =>
    name !== base &&
    (name.startsWith(`${base}.`) ||
      name.startsWith(`${base}-`) ||
      (extension !== '' && name.startsWith(`${stem}-`) && name.endsWith(extension)))
}

function openAll(path: string, isWanted: (name: string) => boolean): OpenFile[] {
  const folder = dirname(path)
  const files = readdirSync(folder)
    .filter(isWanted)
    .map((name) => openFile(join(folder, name)))
    .filter((file) => file !== null)
  return files.toSorted((a, b) => changedAt(a) - changedAt(b))
}

/** When the content of a file last changed, in milliseconds. */
export const changedAt = ({ handle }: OpenFile): number => fstatSync(handle).mtimeMs

export const closeFile = ({ handle }: OpenFile): void => closeSync(handle)
