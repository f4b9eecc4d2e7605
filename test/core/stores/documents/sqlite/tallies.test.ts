import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyEntity } from '../../../../../core/contracts/entity'
import { type Connection, openWriter } from '../../../../../core/stores/documents/sqlite/connection'
import { ensureTables } from '../../../../../core/stores/documents/sqlite/ddl'
import { layoutOf } from '../../../../../core/stores/documents/sqlite/layout'
import { createRowWriter } from '../../../../../core/stores/documents/sqlite/rows'
import { countSql } from '../../../../../core/stores/documents/sqlite/statements'
import { Sample } from '../../../../support/sample-entity'

let connection: Connection
beforeEach(() => {
  connection = openWriter(':memory:')
})
afterEach(() => connection.close())

const countedBy = (by: readonly string[], more: object = {}) =>
  layoutOf({ ...Sample, ...more, counts: { by } } as unknown as AnyEntity)
const byStage = countedBy(['stage'])
const ensure = (layout = byStage) => ensureTables(connection, [layout], () => undefined)
const day = '2026-01-01T00:00:00.000Z'
const insert = (id: string, stage: string) => {
  const where = { workspace_id: 'wks_1', location_id: 'loc_1' }
  const row = { id, ...where, stage, is_archived: false, created_date: day, updated_date: day }
  createRowWriter(connection, byStage, () => new Date(day)).insert(row)
}
const isNew = { op: 'eq', field: 'stage', value: 'new' } as const
const counted = (layout = byStage) => {
  const { sql, params } = countSql(layout, isNew)
  return [connection.rows(sql, params)[0]?.[0], /FROM "Sample:counts"/.test(sql)]
}
const names = () =>
  connection.rows("SELECT name FROM sqlite_master WHERE name LIKE '%:counts%' ORDER BY name").map(String)

describe('the counts of a table', () => {
  test('follow inserts, and are not built again at the next start', () => {
    ensure()
    insert('smp_1', 'new')
    insert('smp_2', 'new')
    insert('smp_3', 'won')
    expect(counted()).toEqual([2, true])
    const version = connection.rows('PRAGMA schema_version')
    ensure()
    expect(connection.rows('PRAGMA schema_version')).toEqual(version)
  })

  test('are made for rows that are older than the declaration, and dropped with it', () => {
    const plain = layoutOf({ ...Sample, counts: undefined } as unknown as AnyEntity)
    ensure(plain)
    insert('smp_1', 'new')
    expect(counted(plain)).toEqual([1, false])
    expect(names()).toEqual([])
    ensure()
    expect(counted()).toEqual([1, true])
    ensure(countedBy(['kind', 'stage']))
    expect(counted(countedBy(['kind', 'stage']))).toEqual([1, true])
    ensure(plain)
    expect(names()).toEqual([])
  })

  test('are made again after the table was built again, also by a version without counts', () => {
    ensure()
    insert('smp_1', 'new')
    ensure(countedBy(['stage'], { hidden: ['secret', 'attempts', 'title'] }))
    insert('smp_2', 'new')
    expect(counted()).toEqual([2, true])
    // The triggers go with the table, and the counts stay.
    connection.run('CREATE TABLE "kept" AS SELECT * FROM "Sample"')
    connection.run('DROP TABLE "Sample"')
    connection.run('ALTER TABLE "kept" RENAME TO "Sample"')
    insert('smp_3', 'new')
    ensure()
    expect(counted()).toEqual([3, true])
  })

  test('answer only filters that they contain', () => {
    const readsCounts = (where: Parameters<typeof countSql>[1]) =>
      /:counts/.test(
        countSql(layoutOf({ ...Sample, counts: { by: ['stage'], bySet: ['seen_at'] } }), where).sql,
      )
    expect(
      readsCounts({
        op: 'not',
        of: { op: 'or', of: [isNew, { op: 'eq', field: 'location_id', value: 'l' }] },
      }),
    ).toBe(true)
    expect(readsCounts({ op: 'ne', field: 'seen_at', value: null })).toBe(true)
    expect(readsCounts({ op: 'gt', field: 'seen_at', value: '2026' })).toBe(false)
    expect(readsCounts({ op: 'eq', field: 'seen_at', value: '2026' })).toBe(false)
    expect(readsCounts({ op: 'and', of: [isNew, { op: 'eq', field: 'kind', value: 'a' }] })).toBe(false)
  })
})
