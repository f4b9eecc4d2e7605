import { join } from 'node:path'
import type { FileCalls, OpenFile } from './files'
import { readSegment } from './segment'

export interface OpenSegment {
  readonly name: string
  readonly file: OpenFile
  /** The synced bytes. Only these count. */
  bytes: number
}

/** Creates the next segment. Resolves when the empty file is durable. */
export async function openSegment(files: FileCalls, folder: string, now: Date): Promise<OpenSegment> {
  const name = segmentName(now)
  const path = join(folder, `${name}.open`)
  const file = await files.create(path)
  try {
    await files.syncDirectory(folder)
  } catch (error) {
    await file.close().catch(() => {})
    await files.remove(path).catch(() => {})
    throw error
  }
  return { name, file, bytes: 0 }
}

/** Passes a segment to the flusher by renaming it. Deletes an empty one. */
export async function publish(files: FileCalls, folder: string, name: string, bytes: number): Promise<void> {
  const path = join(folder, `${name}.open`)
  if (bytes === 0) await files.remove(path)
  else await files.rename(path, join(folder, `${name}.seg`))
  await files.syncDirectory(folder)
}

/** Cuts a segment after an error back to its synced part, through a new descriptor, and publishes it. */
export async function repairTail(
  files: FileCalls,
  folder: string,
  left: { readonly name: string; readonly bytes: number },
): Promise<void> {
  if (!(await files.list(folder)).includes(`${left.name}.open`)) return
  await files.truncate(join(folder, `${left.name}.open`), left.bytes)
  await publish(files, folder, left.name, left.bytes)
}

/**
 * Closes segments that an earlier process left open. Returns those whose unacknowledged end was cut. Damaged
 * segments stay unchanged: the flusher counts the readable part and keeps a copy.
 */
export async function recover(files: FileCalls, folder: string): Promise<string[]> {
  const tornSegments: string[] = []
  for (const file of await files.list(folder)) {
    if (!file.endsWith('.open')) continue
    const content = await files.read(join(folder, file))
    const { validBytes, torn, damaged } = readSegment(content)
    if (torn && !damaged) {
      tornSegments.push(file)
      await files.truncate(join(folder, file), validBytes)
    }
    await publish(files, folder, file.slice(0, -'.open'.length), damaged ? content.length : validBytes)
  }
  return tornSegments
}

/** Sizes of closed segments, by their file. They never change, and after hours of an outage there are thousands. */
export type SegmentSizes = Map<string, number>

/** Returns the bytes of these files of the folder. Reads only sizes that are not known. */
export async function bytesOf(
  files: Pick<FileCalls, 'size'>,
  folder: string,
  names: readonly string[],
  known: SegmentSizes,
): Promise<number> {
  let bytes = 0
  for (const name of names) {
    // The flusher may move a segment after it was listed.
    const size = known.get(name) ?? (await files.size(join(folder, name)).catch(() => null))
    if (size !== null && name.endsWith('.seg')) known.set(name, size)
    bytes += size ?? 0
  }
  if (known.size > names.length) {
    const listed = new Set(names)
    for (const name of known.keys()) if (!listed.has(name)) known.delete(name)
  }
  return bytes
}

/** Returns the bytes that wait in the folder. */
export const measure = async (
  files: FileCalls,
  folder: string,
  known: SegmentSizes = new Map(),
): Promise<number> => bytesOf(files, folder, await files.list(folder), known)

/** Writes all bytes, continuing after short writes. */
export async function writeWhole(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    const taken = await file.write(bytes.subarray(written), position + written)
    if (taken <= 0) throw new Error('the disk accepted no bytes')
    written += taken
  }
}

/** Returns a name that sorts by time and is unique, also across machines with one ClickHouse. */
const segmentName = (now: Date) =>
  `${String(now.getTime()).padStart(14, '0')}-${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`

/** Returns when a segment was opened, in milliseconds, by its name. */
export const openedAt = (name: string): number => Number(name.split('-')[0])
