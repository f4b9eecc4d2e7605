import { describe, expect, test } from 'bun:test'
import type { Where } from 'renown'
import { toSqlite } from '../../../core/query/to-sqlite'
import { layoutOf } from '../../../core/stores/documents/sqlite/layout'
import { Sample } from '../../support/sample-entity'

const { locate } = layoutOf(Sample)
const sql = (where: Where) => toSqlite(where, locate)

describe('the SQLite filter', () => {
  test('binds every value and quotes every name', () => {
    const hostile = `'; DROP TABLE "Sample"; --`
    const { sql: text, params } = sql({
      op: 'or',
      of: [
        { op: 'eq', field: 'kind', value: hostile },
        { op: 'in', field: 'tags', values: [hostile, null] },
        { op: 'contains', field: 'title', value: hostile },
        { op: 'gt', field: 'author.handle', value: hostile },
      ],
    })
    expect(text).not.toContain('DROP')
    expect(params).toHaveLength(4)
    expect(() => sql({ op: 'eq', field: 'nope" OR 1 --', value: 1 })).toThrow('no field')
  })

  test('reads short values from columns, free text and arrays from the JSON, hidden ones from the rest', () => {
    expect(sql({ op: 'eq', field: 'stage', value: 'new' })).toEqual({ sql: '"stage" = +?', params: ['new'] })
    expect(sql({ op: 'eq', field: 'author.at', value: 'x' }).sql).toBe('"author.at" = +?')
    expect(sql({ op: 'eq', field: 'author.handle', value: 'x' }).sql).toContain(
      `json_extract(doc, '$."author"."handle"')`,
    )
    expect(sql({ op: 'eq', field: 'secret', value: 'x' }).sql).toContain(`json_extract(rest, '$."secret"')`)
    expect(sql({ op: 'size', field: 'tags', value: 1 }).sql).toContain(`json_array_length(doc, '$."tags"')`)
  })

  test('carries negation to the comparisons, so that no condition is NULL', () => {
    const not = (of: Where): Where => ({ op: 'not', of })
    expect(sql(not({ op: 'eq', field: 'rank', value: 1 })).sql).toBe('"rank" IS NOT +?')
    expect(sql(not({ op: 'gt', field: 'rank', value: 1 })).sql).toBe('("rank" <= +? OR "rank" IS NULL)')
    expect(sql(not(not({ op: 'gt', field: 'rank', value: 1 }))).sql).toBe('"rank" > +?')
    const both: Where = {
      op: 'and',
      of: [
        { op: 'eq', field: 'rank', value: 1 },
        { op: 'eq', field: 'is_open', value: true },
      ],
    }
    expect(sql(not(both))).toEqual({ sql: '("rank" IS NOT +? OR "is_open" IS NOT +?)', params: [1, 1] })
    expect(sql({ op: 'nor', of: [both] }).sql).toBe('("rank" IS NOT +? OR "is_open" IS NOT +?)')
    expect(sql({ op: 'or', of: [] }).sql).toBe('0')
    expect(sql({ op: 'nor', of: [] }).sql).toBe('1')
  })
})
