import { fstatSync, readSync } from 'node:fs'
import { constants, gunzipSync } from 'node:zlib'
import type { FilePosition } from './position'
import { closeFile, type OpenFile, openZipped, printed } from './siblings'

/**
 * Returns what to say when the file of a position is in no file beside the log any more. Null if all of it was sent.
 * `isCurrent` says that the file was still written to when it was last seen.
 */
export function gapOf(path: string, position: FilePosition, isCurrent: boolean): string | null {
  const { offset, pending, seen = 0 } = position
  const zipped = zippedOf(path, position)
  if (zipped && zipped.bytes === offset % zippedMax) return null
  const advice = 'Keep one rotated file uncompressed (logrotate: delaycompress).'
  if (zipped)
    return `${path}: what followed byte ${offset} is only in ${zipped.name}, which is compressed, so it is not sent. ${advice}`
  if (pending !== undefined)
    return `${path}: bytes ${offset} to ${pending} were being sent and are in no file beside it any more. If they did not arrive, their lines are lost. ${advice}`
  if (seen > offset)
    return `${path}: bytes ${offset} to ${seen} were not sent and are in no file beside it any more, so their lines are lost. ${advice}`
  if (!isCurrent) return null
  return `${path}: the file that was sent up to byte ${offset} is gone. If more was written to it while nothing ran, those lines are not sent. ${advice}`
}

/** The end of a gzip file has the size of its content in 32 bits. */
const zippedMax = 2 ** 32
/** More than enough for the first bytes of a content. */
const headBytes = 65_536

/** Finds the file that gzip made of the file of a position, with the bytes of its content. */
function zippedOf(path: string, position: FilePosition): { name: string; bytes: number } | null {
  if (position.print.length === 0) return null
  const files = openZipped(path)
  const found = files.find((file) => beginsAs(file, position))
  const bytes = found && contentBytes(found)
  for (const file of files) closeFile(file)
  return found && bytes !== undefined ? { name: found.path, bytes } : null
}

function beginsAs({ handle }: OpenFile, { print }: FilePosition): boolean {
  const head = Buffer.alloc(headBytes)
  const length = readSync(handle, head, 0, headBytes, 0)
  try {
    const content = gunzipSync(head.subarray(0, length), { finishFlush: constants.Z_SYNC_FLUSH })
    return printed(content.subarray(0, print.length)).hash === print.hash
  } catch {
    return false
  }
}

function contentBytes({ handle }: OpenFile): number {
  const { size } = fstatSync(handle)
  const end = Buffer.alloc(4)
  readSync(handle, end, 0, 4, Math.max(0, size - 4))
  return end.readUInt32LE()
}
