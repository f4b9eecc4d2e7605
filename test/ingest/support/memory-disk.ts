import { jest } from 'bun:test'
import type { FileCalls, OpenFile } from '../../../ingest/journal/files'
import { type JournalOptions, openJournal } from '../../../ingest/journal/journal'
import { countedHit } from '../../support/counted-hit'

/** Lets everything run that waits for no timer. */
export const settle = async () => {
  for (let turns = 0; turns < 200; turns++) await Promise.resolve()
}
export const later = async (ms: number) => {
  jest.advanceTimersByTime(ms)
  await settle()
}
const start = 1_795_200_000_000
export const entry = (path = '/', count = 1) => ({
  hits: Array.from({ length: count }, () => countedHit({ path, ts: start })),
})

/** The calls of a disk in memory. */
type Call = keyof FileCalls | keyof OpenFile

/** A disk in memory that notes each call. Calls of `fails` throw `code`, and all calls wait for what `holds` says. */
export function memoryDisk(contents: Readonly<Record<string, Uint8Array>>) {
  const sizes = new Map(Object.entries(contents).map(([path, bytes]) => [path, bytes.length]))
  const disk = {
    fails: [] as readonly Call[],
    code: 'EIO',
    holds: {} as Partial<Record<Call, Promise<unknown>>>,
    free: 1_000,
    /** Bytes that each file has in addition. */
    extra: 0,
    calls: [] as Call[],
    count: (call: Call) => disk.calls.filter((each) => each === call).length,
  }
  const act = async <Result>(call: Call, result: () => Result): Promise<Result> => {
    disk.calls.push(call)
    if (disk.fails.includes(call)) throw Object.assign(new Error('disk'), { code: disk.code })
    await disk.holds[call]
    return result()
  }
  const written = (path: string, bytes: Uint8Array, position: number) => {
    sizes.set(path, position + bytes.length)
    return bytes.length
  }
  const opened = (path: string): OpenFile => {
    sizes.set(path, 0)
    return {
      write: (bytes, position) => act('write', () => written(path, bytes, position)),
      datasync: () => act('datasync', () => {}),
      close: () => act('close', () => {}),
    }
  }
  const renamed = (from: string, to: string) => {
    sizes.set(to, sizes.get(from) ?? 0)
    sizes.delete(from)
  }
  const files: FileCalls = {
    create: (path) => act('create', () => opened(path)),
    makeDirectory: () => act('makeDirectory', () => {}),
    syncDirectory: () => act('syncDirectory', () => {}),
    list: () => act('list', () => [...sizes.keys()].map((path) => path.split('/').at(-1) ?? '')),
    size: (path) => act('size', () => (sizes.get(path) ?? 0) + disk.extra),
    rename: (from, to) => act('rename', () => renamed(from, to)),
    remove: (path) => act('remove', () => void sizes.delete(path)),
    truncate: (path, bytes) => act('truncate', () => void sizes.set(path, bytes)),
    read: (path) => act('read', () => contents[path] ?? new Uint8Array()),
    free: () => act('free', () => disk.free),
  }
  return { disk, files, sizes }
}

/** A journal on a disk in memory, for tests with fake timers. */
export async function journalOf(more: Partial<JournalOptions> = {}, { disk, files, sizes } = memoryDisk({})) {
  const logged: unknown[] = []
  const noted = (level: string) => (message: string, fields?: object) =>
    void logged.push([level, message, ...(fields ? [fields] : [])])
  const log = { debug: noted('debug'), info: noted('info'), warn: noted('warn'), error: noted('error') }
  const now = () => new Date(start + performance.now())
  const journal = await openJournal({ directory: '/j', now, log, files, ...more })
  const closed = () => [...sizes.keys()].filter((path) => path.endsWith('.seg'))
  const opened = () => [...sizes.keys()].filter((path) => path.endsWith('.open'))
  /** Appends, and returns what became of it. */
  const append = (what = entry()) => {
    const state = { ended: '' }
    void journal.append(what).then(
      () => {
        state.ended = 'stands'
      },
      (error: Error) => {
        state.ended = error.message
      },
    )
    return state
  }
  return { journal, disk, logged, closed, opened, append, sizes }
}
