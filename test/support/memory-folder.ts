import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

/** A folder in memory for what the tests write. */
export interface MemoryFolder {
  readonly path: string
  remove(): void
}

/** Free bytes that the folder and the machine must have. The tests of one run keep less than half of it at a time. */
const neededBytes = 4 * 1024 ** 3

/**
 * Makes a folder in memory, or returns `undefined` where the system has no such place or too little room. Tests wait a
 * third less there, because a store syncs each write to the disk. Removes the folders of runs that were killed.
 */
export function memoryFolder(within = '/dev/shm', needed = neededBytes): MemoryFolder | undefined {
  try {
    const { bavail, bsize } = statfsSync(within)
    if (Math.min(bavail * bsize, freemem()) < needed) return undefined
    const runs = join(within, 'renown-test-runs')
    mkdirSync(runs, { recursive: true })
    for (const name of readdirSync(runs)) if (!isAlive(ownerOf(name))) remove(join(runs, name))
    const path = mkdtempSync(join(runs, `${process.pid}-`))
    return { path, remove: () => remove(path) }
  } catch {
    return undefined
  }
}

const ownerOf = (name: string) => Number(name.split('-')[0])
const remove = (path: string) => rmSync(path, { recursive: true, force: true })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
