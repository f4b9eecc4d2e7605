import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, openWriter } from '../../../../../core/stores/documents/sqlite/connection'
import { ensureTables } from '../../../../../core/stores/documents/sqlite/ddl'
import { layoutOf } from '../../../../../core/stores/documents/sqlite/layout'
import { shippedRegistry } from '../../../../support/shipped'

const wanted = [...shippedRegistry().entities.values()].map(layoutOf)

let folder = ''
let connection: Connection
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-ddl-'))
  connection = openWriter(join(folder, 'renown.db'))
})
afterEach(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

const ensure = () => ensureTables(connection, wanted, () => undefined)
const made = () =>
  connection.rows('SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name')
/** Counts the transactions that SQLite commits. */
function commits(work: () => void): number {
  let count = 0
  const { run } = connection
  const counting = (sql: string, params?: never) => {
    if (sql === 'COMMIT') count++
    return run(sql, params)
  }
  connection = Object.assign(connection, { run: counting })
  work()
  return count
}

test('a first start makes every table in one transaction', () => {
  expect(wanted.length).toBeGreaterThan(20)
  expect(commits(ensure)).toBe(1)
  const tables = new Set(made().flatMap(([type, name]) => (type === 'table' ? [String(name)] : [])))
  expect(wanted.filter(({ entity }) => !tables.has(entity.name))).toEqual([])
})

test('makes no table if one of them cannot be made', () => {
  const last = wanted.at(-1)?.table
  connection.db.run(`CREATE TABLE ${last} (id TEXT)`)
  expect(ensure).toThrow('already exists')
  expect(made().filter(([type]) => type === 'table')).toHaveLength(2)
})

test('makes what an earlier version lacked, and leaves the rest as it is', () => {
  ensure()
  const whole = made()
  const { table, entity } = wanted[3] as (typeof wanted)[number]
  connection.db.run(`DROP TABLE ${table}`)
  connection.db.run(`DELETE FROM renown_layouts WHERE entity = '${entity.name}'`)
  const index = whole.find(([type, name]) => type === 'index' && !String(name).startsWith(`${entity.name}:`))
  connection.db.run(`DROP INDEX "${index?.[1]}"`)
  expect(made().length).toBeLessThan(whole.length)
  ensure()
  expect(made()).toEqual(whole)
})
