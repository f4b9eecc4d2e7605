import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../../support/first-line'

/** A server that is measured, in a process of its own. */
export interface Server {
  readonly port: number
  readonly pid: number
  readonly folder: string
  stop(): Promise<void>
}

const program = join(import.meta.dir, '../ingest-server.ts')

/**
 * `bare` only parses what comes; `ingest` counts it, without a flusher. Pinned to one core where that can be done, so
 * that the load does not share it.
 */
export async function startServer(
  kind: 'bare' | 'ingest',
  env: Record<string, string> = {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const pinned = Bun.which('taskset') ? ['taskset', '-c', '0'] : []
  const child = Bun.spawn([...pinned, process.execPath, program, kind, folder], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return {
    port: Number(await firstLine(child.stdout)),
    pid: child.pid,
    folder,
    async stop() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resident memory of a process in MB: most ever, now, and what of that is neither program text nor a file (Linux). */
export function residentOf(pid: number): {
  readonly most: number
  readonly now: number
  readonly own: number
} {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return { most: of('VmHWM'), now: of('VmRSS'), own: of('RssAnon') }
}
