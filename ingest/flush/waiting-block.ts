import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { systemFiles } from '../journal/files'

/** How much one block may have. No more bytes than a full segment, so that a backlog needs no more memory than a busy minute. */
export interface BlockLimits {
  readonly segments: number
  readonly bytes: number
}

export const blockLimits: BlockLimits = { segments: 500, bytes: 4 * 2 ** 20 }

/** The file that names the segments of the block that may be at ClickHouse now. */
export const blockFile = (directory: string): string => join(directory, 'block.json')

/**
 * Notes which segments are written together, before the first of them can reach ClickHouse. ClickHouse may still be storing a block
 * when this process is killed. The next one then sends the same block with the same token, so that it counts once.
 */
export async function noteBlock(directory: string, names: readonly string[]): Promise<void> {
  const path = blockFile(directory)
  const draft = `${path}.draft`
  await systemFiles.remove(draft).catch(() => undefined)
  const file = await systemFiles.create(draft)
  try {
    const bytes = Buffer.from(JSON.stringify(names))
    for (let at = 0; at < bytes.length; ) at += await file.write(bytes.subarray(at), at)
    await file.datasync()
  } finally {
    await file.close()
  }
  await systemFiles.rename(draft, path)
  await systemFiles.syncDirectory(directory)
}

/** Returns the segments of the last block, or none. Without the file, their receipts still say what is stored. */
export async function readBlock(directory: string): Promise<readonly string[]> {
  try {
    const names: unknown = JSON.parse(Buffer.from(await systemFiles.read(blockFile(directory))).toString())
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** Returns the name of a block for its deduplication tokens. It depends on its segments alone. */
export const blockName = (names: readonly string[]): string =>
  names.length === 1
    ? String(names[0])
    : `block-${createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32)}`

/**
 * Chooses the oldest segments that go into one block. `shares` limits the blocks with some segments, because ClickHouse refused the
 * rows of a larger one. Always returns at least one.
 */
export async function chooseBlock(
  folder: string,
  waiting: Iterable<string>,
  limits: BlockLimits,
  shares: ReadonlyMap<string, number>,
): Promise<string[]> {
  const chosen: string[] = []
  let { segments, bytes } = limits
  for (const name of waiting) {
    segments = Math.min(segments, shares.get(name) ?? segments)
    if (chosen.length > 0 && chosen.length >= segments) break
    bytes -= await systemFiles.size(join(folder, `${name}.seg`))
    if (chosen.length > 0 && bytes < 0) break
    chosen.push(name)
  }
  return chosen
}
