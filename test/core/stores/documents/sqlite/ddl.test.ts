import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type Connection, openWriter } from '../../../../../core/stores/documents/sqlite/connection'
import { ensureTables } from '../../../../../core/stores/documents/sqlite/ddl'
import { layoutOf } from '../../../../../core/stores/documents/sqlite/layout'
import { Sample } from '../../../../support/sample-entity'

let connection: Connection
beforeEach(() => {
  connection = openWriter(':memory:')
})
afterEach(() => connection.close())

const layout = layoutOf(Sample)
const ensure = () => ensureTables(connection, [layout], () => undefined)
const indexes = () =>
  connection
    .rows("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    .map(String)
const written = () => connection.rows('SELECT total_changes()')
const schema = () => connection.rows('PRAGMA schema_version')

describe('a table that is as declared', () => {
  test('is not written to at the next start', () => {
    ensure()
    const before = [written(), schema(), indexes()]
    ensure()
    expect([written(), schema(), indexes()]).toEqual(before)
    expect(indexes().length).toBeGreaterThan(1)
  })
})

describe('at the next start', () => {
  test('an index that is missing is created, and one that is no longer declared is dropped', () => {
    ensure()
    const before = indexes()
    const [first] = connection.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    connection.run(`DROP INDEX "${first?.[0]}"`)
    ensure()
    expect(indexes()).toEqual(before)
    connection.run(`CREATE INDEX "${Sample.name}:old" ON ${layout.table} ("id")`)
    ensure()
    expect(indexes()).toEqual(before)
    // As many as declared, but not the same.
    connection.run(`DROP INDEX "${first?.[0]}"`)
    connection.run(`CREATE INDEX "${Sample.name}:old" ON ${layout.table} ("id")`)
    ensure()
    expect(indexes()).toEqual(before)
  })

  test('the indexes of one table do not count as those of another', () => {
    ensure()
    const before = indexes()
    connection.run('CREATE TABLE "other" ("id" TEXT)')
    connection.run('CREATE INDEX "other:a" ON "other" ("id")')
    const version = schema()
    ensure()
    expect(schema()).toEqual(version)
    expect(indexes()).toHaveLength(before.length + 1)
  })
})
