import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemFiles } from '../journal/files'
import { poisonDirectory, segmentsDirectory } from '../journal/journal'

/**
 * How the copy of a damaged segment ends, in `poison/`. What could be read of it is counted, so it has another name than a
 * segment that can be tried again.
 */
export const damagedEnding = '.damaged'

/** Moves closed segments to another folder of the journal, durably. */
export async function moveSegments(
  directory: string,
  names: readonly string[],
  folder: string,
): Promise<void> {
  const from = segmentsDirectory(directory)
  await systemFiles.makeDirectory(folder)
  for (const name of names) {
    await systemFiles.rename(join(from, `${name}.seg`), join(folder, `${name}.seg`))
    // Two names of one file stay as they are, and the rename still reports success: for example after a copy was put back.
    await rm(join(from, `${name}.seg`), { force: true })
  }
  await systemFiles.syncDirectory(folder)
  await systemFiles.syncDirectory(from)
}

/**
 * Keeps a copy of a segment with unreadable parts for an operator, because its hits were acknowledged. Returns whether it is
 * the first one.
 */
export async function keepDamaged(directory: string, name: string): Promise<boolean> {
  const folder = poisonDirectory(directory)
  await systemFiles.makeDirectory(folder)
  try {
    await link(join(segmentsDirectory(directory), `${name}.seg`), join(folder, `${name}${damagedEnding}`))
    return true
  } catch {
    return false
  }
}

/** Moves copies of damaged segments that somebody put back to `poison/` again. Returns their names. */
export async function returnDamaged(directory: string, files: readonly string[]): Promise<readonly string[]> {
  const put = files.filter((file) => file.endsWith(damagedEnding))
  const from = segmentsDirectory(directory)
  const to = poisonDirectory(directory)
  for (const file of put) {
    await systemFiles.makeDirectory(to)
    await systemFiles.rename(join(from, file), join(to, file))
    await rm(join(from, file), { force: true })
  }
  return put
}
