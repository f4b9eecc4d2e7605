import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ColumnsTarget } from '../../core/contracts/traffic'
import { openColumns } from '../../core/stores/columns/client'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { quietLog } from './quiet-log'

/** The one folder of chDB in this process: it can hold no second. */
let folder: string | undefined
let databases = 0

/** The process's chDB folder, removed when the process ends. */
export function chdbFolder(): string {
  if (folder) return folder
  const made = mkdtempSync(join(tmpdir(), 'renown-chdb-'))
  folder = made
  process.on('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
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
