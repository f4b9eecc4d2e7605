import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from 'renown/contracts'
import type { FileCalls } from '../../../ingest/journal/files'
import { systemFiles } from '../../../ingest/journal/files'
import { type BatchRecord, type JournalHit, readSegment } from '../../../ingest/journal/segment'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A folder that goes away at the end of the work. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'renown-ingest-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Real files, with a say before each call: throwing makes the call fail, a number shortens a write. */
export function meddlingFiles(before: (call: string, bytes?: Uint8Array) => number | undefined): FileCalls {
  const meddled = { ...systemFiles } as Record<string, unknown>
  for (const [name, call] of Object.entries(systemFiles)) {
    meddled[name] = async (...args: unknown[]) => {
      before(name)
      return (call as (...args: unknown[]) => unknown)(...args)
    }
  }
  meddled.create = async (path: string) => {
    before('create')
    const file = await systemFiles.create(path)
    return {
      write: async (bytes: Uint8Array, position: number) => {
        const length = before('write', bytes)
        return file.write(typeof length === 'number' ? bytes.subarray(0, length) : bytes, position)
      },
      datasync: async () => {
        before('datasync')
        await file.datasync()
      },
      close: async () => {
        before('close')
        await file.close()
      },
    }
  }
  return meddled as unknown as FileCalls
}

/** Everything that the flusher could see in a journal's closed and done segments. */
export async function readJournal(
  directory: string,
  suffixes: readonly string[] = ['.seg'],
): Promise<{ hits: JournalHit[]; batches: BatchRecord[]; torn: number }> {
  const found = { hits: [] as JournalHit[], batches: [] as BatchRecord[], torn: 0 }
  for (const part of ['segments', 'done']) {
    for (const file of (await readdir(join(directory, part))).sort()) {
      if (part === 'segments' && !suffixes.some((suffix) => file.endsWith(suffix))) continue
      const segment = readSegment(await readFile(join(directory, part, file)))
      if (segment.torn) found.torn++
      for (const frame of segment.frames) {
        found.hits.push(...frame.hits)
        found.batches.push(...frame.batchIds)
      }
    }
  }
  return found
}
