import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../contracts/errors'
import type { Log } from '../contracts/plugin'
import { quoteName } from '../query/clickhouse-text'
import { openColumns } from '../stores/columns/client'
import { readCopy } from '../stores/documents/sqlite/read-copy'
import type { BackupCheck } from './check-process'

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** Opens a copy of a data folder and reads every page and every part of it. A process can have one embedded ClickHouse only. */
export async function checkBackup(folder: string): Promise<BackupCheck> {
  const rows: Record<string, number> = {}
  const faults: string[] = []
  const trying = async (what: string, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      faults.push(`${what}: ${messageOf(error)}`)
    }
  }
  await trying('documents.sqlite', () => {
    const read = readCopy(join(folder, 'documents.sqlite'))
    Object.assign(rows, read.rows)
    faults.push(...read.faults.map((fault) => `documents.sqlite: ${fault}`))
  })
  const columns = join(folder, 'columns')
  if (existsSync(columns)) await trying('columns', () => checkColumns(columns, rows, faults))
  return { rows, faults }
}

async function checkColumns(path: string, rows: Record<string, number>, faults: string[]): Promise<void> {
  const store = await openColumns({ path }, { log: quiet })
  try {
    const tables = await store.query<{ name: string; engine: string }>(
      'SELECT name, engine FROM system.tables WHERE database = currentDatabase() ORDER BY name',
    )
    for (const { name, engine } of tables) {
      const parts = await store.query<{ part_path: string; is_passed: number; message: string }>(
        `CHECK TABLE ${quoteName(name)} SETTINGS check_query_single_value_result = 0`,
      )
      for (const { part_path, is_passed, message } of parts)
        if (is_passed !== 1) faults.push(`columns: ${name} ${part_path}: ${message}`)
      // Rows that newer ones replace are not counted.
      const final = /^(?:Replacing|Summing)/.test(engine) ? ' FINAL' : ''
      const [counted] = await store.query<{ n: number }>(
        `SELECT count() AS n FROM ${quoteName(name)}${final}`,
      )
      rows[name] = Number(counted?.n ?? 0)
    }
  } finally {
    await store.close()
  }
}
