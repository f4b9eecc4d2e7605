import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ColumnsTarget } from '../../core/contracts/traffic'
import { openColumns } from '../../core/stores/columns/client'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { quietLog } from './quiet-log'

/** The one folder of chDB in this process: it can hold no second. */
let folder: string | undefined
let databases = 0

const prefix = 'renown-chdb-'

/** The process's chDB folder, removed by a later run. */
export function chdbFolder(): string {
  if (folder) return folder
  sweep()
  folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  return folder
}

/** `bun test` ends without a word to its process, so each run removes what ended ones have left. */
function sweep(): void {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A database of its own in this process's chDB. */
export const freshColumnsTarget = (): Extract<ColumnsTarget, { path: string }> & { database: string } => ({
  path: chdbFolder(),
  database: `test_${process.pid}_${++databases}`,
})

/** An open store on a fresh database; `await using` or `close()` drops the database. */
export async function freshColumns(): Promise<
  ColumnsStore & AsyncDisposable & { target: { path: string; database: string } }
> {
  const target = freshColumnsTarget()
  const store = await openColumns(target, { log: quietLog })
  const close = async () => {
    await store.query(`DROP DATABASE IF EXISTS ${target.database} SYNC`).catch(() => undefined)
    await store.close()
  }
  return { ...store, target, close, [Symbol.asyncDispose]: close }
}
