import { expect, test } from 'bun:test'
import { type AnyEntity, day, type Where } from 'renown'
import * as v from 'valibot'
import { toClickhouse, valueSql } from '../../../core/query/to-clickhouse'
import { Sample } from '../../support/sample-entity'

/** A filter, its SQL and the values of its parameters. */
const cases: readonly (readonly [Where, ...unknown[]])[] = [
  [{ op: 'eq', field: 'rank', value: 3 }, 'ifNull((`rank` = {w0:Int64}), 0)', 3],
  [{ op: 'eq', field: 'rank', value: null }, 'isNull(`rank`)'],
  [
    { op: 'eq', field: 'tags', value: 'a' },
    "has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String})",
    'a',
  ],
  [{ op: 'eq', field: 'tags', value: null }, 'isNull(`tags`)'],
  [{ op: 'eq', field: 'stage', value: 'new' }, '(`stage` = {w0:String})', 'new'],
  [{ op: 'ne', field: 'rank', value: 3 }, 'NOT ifNull((`rank` = {w0:Int64}), 0)', 3],
  [{ op: 'ne', field: 'rank', value: null }, 'isNotNull(`rank`)'],
  [
    { op: 'ne', field: 'tags', value: 'a' },
    "NOT has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String})",
    'a',
  ],
  [{ op: 'ne', field: 'tags', value: null }, 'NOT isNull(`tags`)'],
  [{ op: 'ne', field: 'stage', value: 'new' }, 'NOT (`stage` = {w0:String})', 'new'],
  [{ op: 'gt', field: 'rank', value: 3 }, 'ifNull((`rank` > {w0:Int64}), 0)', 3],
  [{ op: 'gt', field: 'rank', value: null }, '0'],
  [
    { op: 'gt', field: 'tags', value: 'a' },
    "arrayExists(e -> e > {w0:String}, JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'))",
    'a',
  ],
  [{ op: 'gt', field: 'tags', value: null }, '0'],
  [{ op: 'gt', field: 'stage', value: 'new' }, '(`stage` > {w0:String})', 'new'],
  [{ op: 'gte', field: 'rank', value: 3 }, 'ifNull((`rank` >= {w0:Int64}), 0)', 3],
  [{ op: 'gte', field: 'rank', value: null }, '0'],
  [
    { op: 'gte', field: 'tags', value: 'a' },
    "arrayExists(e -> e >= {w0:String}, JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'))",
    'a',
  ],
  [{ op: 'gte', field: 'tags', value: null }, '0'],
  [{ op: 'gte', field: 'stage', value: 'new' }, '(`stage` >= {w0:String})', 'new'],
  [{ op: 'lt', field: 'rank', value: 3 }, 'ifNull((`rank` < {w0:Int64}), 0)', 3],
  [{ op: 'lt', field: 'rank', value: null }, '0'],
  [
    { op: 'lt', field: 'tags', value: 'a' },
    "arrayExists(e -> e < {w0:String}, JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'))",
    'a',
  ],
  [{ op: 'lt', field: 'tags', value: null }, '0'],
  [{ op: 'lt', field: 'stage', value: 'new' }, '(`stage` < {w0:String})', 'new'],
  [{ op: 'lte', field: 'rank', value: 3 }, 'ifNull((`rank` <= {w0:Int64}), 0)', 3],
  [{ op: 'lte', field: 'rank', value: null }, '0'],
  [
    { op: 'lte', field: 'tags', value: 'a' },
    "arrayExists(e -> e <= {w0:String}, JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'))",
    'a',
  ],
  [{ op: 'lte', field: 'tags', value: null }, '0'],
  [{ op: 'lte', field: 'stage', value: 'new' }, '(`stage` <= {w0:String})', 'new'],
  [{ op: 'in', field: 'rank', values: [1, 2] }, '(ifNull((`rank` IN {w0:Array(Int64)}), 0))', [1, 2]],
  [
    { op: 'in', field: 'rank', values: [1, null] },
    '(isNull(`rank`) OR ifNull((`rank` IN {w0:Array(Int64)}), 0))',
    [1],
  ],
  [{ op: 'in', field: 'rank', values: [null] }, '(isNull(`rank`))'],
  [{ op: 'in', field: 'rank', values: [] }, '0'],
  [
    { op: 'in', field: 'tags', values: ['a', 'b'] },
    "(has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String}) OR has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w1:String}))",
    'a',
    'b',
  ],
  [
    { op: 'in', field: 'tags', values: ['a', null] },
    "(has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String}) OR isNull(`tags`))",
    'a',
  ],
  [{ op: 'in', field: 'tags', values: [] }, '0'],
  [{ op: 'in', field: 'tags', values: [null] }, '(isNull(`tags`))'],
  [{ op: 'nin', field: 'rank', values: [1, 2] }, 'NOT (ifNull((`rank` IN {w0:Array(Int64)}), 0))', [1, 2]],
  [
    { op: 'nin', field: 'rank', values: [1, null] },
    'NOT (isNull(`rank`) OR ifNull((`rank` IN {w0:Array(Int64)}), 0))',
    [1],
  ],
  [{ op: 'nin', field: 'rank', values: [null] }, 'NOT (isNull(`rank`))'],
  [{ op: 'nin', field: 'rank', values: [] }, 'NOT 0'],
  [
    { op: 'nin', field: 'tags', values: ['a', 'b'] },
    "NOT (has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String}) OR has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w1:String}))",
    'a',
    'b',
  ],
  [
    { op: 'nin', field: 'tags', values: ['a', null] },
    "NOT (has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String}) OR isNull(`tags`))",
    'a',
  ],
  [{ op: 'nin', field: 'tags', values: [] }, 'NOT 0'],
  [{ op: 'nin', field: 'tags', values: [null] }, 'NOT (isNull(`tags`))'],
  [
    { op: 'all', field: 'rank', values: [1, 2] },
    '((ifNull((`rank` IN {w0:Array(Int64)}), 0)) AND (ifNull((`rank` IN {w1:Array(Int64)}), 0)))',
    [1],
    [2],
  ],
  [
    { op: 'all', field: 'rank', values: [1, null] },
    '((ifNull((`rank` IN {w0:Array(Int64)}), 0)) AND (isNull(`rank`)))',
    [1],
  ],
  [{ op: 'all', field: 'rank', values: [null] }, '((isNull(`rank`)))'],
  [{ op: 'all', field: 'rank', values: [] }, '1'],
  [
    { op: 'all', field: 'tags', values: ['a', 'b'] },
    "(has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String}) AND has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w1:String}))",
    'a',
    'b',
  ],
  [
    { op: 'all', field: 'tags', values: ['a', null] },
    "(has(JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'), {w0:String}) AND isNull(`tags`))",
    'a',
  ],
  [{ op: 'all', field: 'tags', values: [] }, '1'],
  [{ op: 'all', field: 'tags', values: [null] }, '(isNull(`tags`))'],
  [{ op: 'exists', field: 'rank', value: true }, 'isNotNull(`rank`)'],
  [{ op: 'exists', field: 'rank', value: false }, 'isNull(`rank`)'],
  [{ op: 'exists', field: 'tags', value: true }, 'isNotNull(`tags`)'],
  [{ op: 'exists', field: 'tags', value: false }, 'isNull(`tags`)'],
  [{ op: 'exists', field: 'author', value: true }, 'isNotNull(`author`)'],
  [{ op: 'exists', field: 'author', value: false }, 'isNull(`author`)'],
  [{ op: 'exists', field: 'stage', value: true }, '1'],
  [{ op: 'exists', field: 'stage', value: false }, '0'],
  [
    { op: 'exists', field: 'author.handle', value: true },
    "isNotNull(JSONExtract(`author`, 'handle', 'Nullable(String)'))",
  ],
  [
    { op: 'exists', field: 'author.handle', value: false },
    "isNull(JSONExtract(`author`, 'handle', 'Nullable(String)'))",
  ],
  [{ op: 'size', field: 'rank', value: 2 }, '0'],
  [
    { op: 'size', field: 'tags', value: 2 },
    "(isNotNull(`tags`) AND JSONLength(ifNull(`tags`, '[]')) = {w0:UInt32})",
    2,
  ],
  [{ op: 'contains', field: 'title', value: 'a.1' }, 'ifNull(match(`title`, {w0:String}), 0)', '(?is)a\\.1'],
  [
    { op: 'contains', field: 'tags', value: 'a.1' },
    "arrayExists(e -> match(e, {w0:String}), JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'))",
    '(?is)a\\.1',
  ],
  [
    { op: 'startsWith', field: 'title', value: 'a.1' },
    'ifNull(match(`title`, {w0:String}), 0)',
    '(?is)\\Aa\\.1',
  ],
  [
    { op: 'startsWith', field: 'tags', value: 'a.1' },
    "arrayExists(e -> match(e, {w0:String}), JSONExtract(ifNull(`tags`, '[]'), 'Array(String)'))",
    '(?is)\\Aa\\.1',
  ],
  [{ op: 'and', of: [] }, '1'],
  [{ op: 'or', of: [] }, '0'],
  [{ op: 'nor', of: [] }, 'NOT 0'],
  [{ op: 'and', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, '((`stage` = {w0:String}))', 'new'],
  [
    {
      op: 'and',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '((`stage` = {w0:String}) AND ifNull((`rank` > {w1:Int64}), 0))',
    'new',
    2,
  ],
  [
    {
      op: 'and',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        {
          op: 'or',
          of: [
            { op: 'eq', field: 'stage', value: 'new' },
            { op: 'gt', field: 'rank', value: 2 },
          ],
        },
      ],
    },
    '((`stage` = {w0:String}) AND ((`stage` = {w1:String}) OR ifNull((`rank` > {w2:Int64}), 0)))',
    'new',
    'new',
    2,
  ],
  [{ op: 'or', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, '((`stage` = {w0:String}))', 'new'],
  [
    {
      op: 'or',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '((`stage` = {w0:String}) OR ifNull((`rank` > {w1:Int64}), 0))',
    'new',
    2,
  ],
  [
    {
      op: 'or',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        {
          op: 'or',
          of: [
            { op: 'eq', field: 'stage', value: 'new' },
            { op: 'gt', field: 'rank', value: 2 },
          ],
        },
      ],
    },
    '((`stage` = {w0:String}) OR ((`stage` = {w1:String}) OR ifNull((`rank` > {w2:Int64}), 0)))',
    'new',
    'new',
    2,
  ],
  [{ op: 'nor', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, 'NOT ((`stage` = {w0:String}))', 'new'],
  [
    {
      op: 'nor',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    'NOT ((`stage` = {w0:String}) OR ifNull((`rank` > {w1:Int64}), 0))',
    'new',
    2,
  ],
  [
    {
      op: 'nor',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        {
          op: 'or',
          of: [
            { op: 'eq', field: 'stage', value: 'new' },
            { op: 'gt', field: 'rank', value: 2 },
          ],
        },
      ],
    },
    'NOT ((`stage` = {w0:String}) OR ((`stage` = {w1:String}) OR ifNull((`rank` > {w2:Int64}), 0)))',
    'new',
    'new',
    2,
  ],
  [
    { op: 'eq', field: 'score', value: 2 ** 60 },
    'ifNull((`score` = {w0:Float64}), 0)',
    '1152921504606847000',
  ],
  [{ op: 'eq', field: 'score', value: 1.5 }, 'ifNull((`score` = {w0:Float64}), 0)', 1.5],
  [{ op: 'eq', field: 'rank', value: 'x' }, '0'],
  [{ op: 'eq', field: 'is_open', value: true }, 'ifNull((`is_open` = {w0:Bool}), 0)', true],
  [{ op: 'eq', field: 'is_open', value: 1 }, '0'],
  [{ op: 'eq', field: 'stage', value: 1 }, '0'],
  [{ op: 'ne', field: 'due', value: 5 }, 'NOT 0'],
  [{ op: 'eq', field: 'due', value: '1969-12-31' }, '0'],
  [{ op: 'gt', field: 'due', value: '1969-12-31' }, 'isNotNull(`due`)'],
  [{ op: 'gte', field: 'due', value: '1969-12-31' }, 'isNotNull(`due`)'],
  [{ op: 'lt', field: 'due', value: '1969-12-31' }, '0'],
  [{ op: 'lte', field: 'due', value: '1969-12-31' }, '0'],
  [{ op: 'eq', field: 'due', value: '1970-01-01' }, 'ifNull((`due` = {w0:Date}), 0)', '1970-01-01'],
  [{ op: 'gt', field: 'due', value: '1970-01-01' }, 'ifNull((`due` > {w0:Date}), 0)', '1970-01-01'],
  [{ op: 'gte', field: 'due', value: '1970-01-01' }, 'ifNull((`due` >= {w0:Date}), 0)', '1970-01-01'],
  [{ op: 'lt', field: 'due', value: '1970-01-01' }, 'ifNull((`due` < {w0:Date}), 0)', '1970-01-01'],
  [{ op: 'lte', field: 'due', value: '1970-01-01' }, 'ifNull((`due` <= {w0:Date}), 0)', '1970-01-01'],
  [{ op: 'eq', field: 'due', value: '2149-06-06' }, 'ifNull((`due` = {w0:Date}), 0)', '2149-06-06'],
  [{ op: 'gt', field: 'due', value: '2149-06-06' }, 'ifNull((`due` > {w0:Date}), 0)', '2149-06-06'],
  [{ op: 'gte', field: 'due', value: '2149-06-06' }, 'ifNull((`due` >= {w0:Date}), 0)', '2149-06-06'],
  [{ op: 'lt', field: 'due', value: '2149-06-06' }, 'ifNull((`due` < {w0:Date}), 0)', '2149-06-06'],
  [{ op: 'lte', field: 'due', value: '2149-06-06' }, 'ifNull((`due` <= {w0:Date}), 0)', '2149-06-06'],
  [{ op: 'eq', field: 'due', value: '2149-06-07' }, '0'],
  [{ op: 'gt', field: 'due', value: '2149-06-07' }, '0'],
  [{ op: 'gte', field: 'due', value: '2149-06-07' }, '0'],
  [{ op: 'lt', field: 'due', value: '2149-06-07' }, 'isNotNull(`due`)'],
  [{ op: 'lte', field: 'due', value: '2149-06-07' }, 'isNotNull(`due`)'],
  [
    { op: 'in', field: 'due', values: ['1969-12-31', '2026-01-01', '2149-06-07'] },
    '(ifNull((`due` IN {w0:Array(Date)}), 0))',
    ['2026-01-01'],
  ],
  [{ op: 'in', field: 'score', values: [1, 2.5] }, '(ifNull((`score` IN {w0:Array(Float64)}), 0))', [1, 2.5]],
  [
    { op: 'in', field: 'score', values: [1, 1152921504606847000, null] },
    '(isNull(`score`) OR ifNull((`score` = {w0:Float64}), 0) OR ifNull((`score` IN {w1:Array(Int64)}), 0))',
    '1152921504606847000',
    [1],
  ],
  [{ op: 'in', field: 'score', values: ['x'] }, '0'],
  [{ op: 'in', field: 'stage', values: ['new', 'won'] }, '((`stage` IN {w0:Array(String)}))', ['new', 'won']],
  [{ op: 'in', field: 'is_open', values: [true] }, '(ifNull((`is_open` IN {w0:Array(Bool)}), 0))', [true]],
  [
    { op: 'gt', field: 'author.handle', value: 'x' },
    "ifNull((JSONExtract(`author`, 'handle', 'Nullable(String)') > {w0:String}), 0)",
    'x',
  ],
  [
    { op: 'gt', field: 'author.followers', value: 7 },
    "ifNull((JSONExtract(`author`, 'followers', 'Nullable(Float64)') > {w0:Int64}), 0)",
    7,
  ],
  [
    { op: 'gt', field: 'author.at', value: 'x' },
    "ifNull((JSONExtract(`author`, 'at', 'Nullable(String)') > {w0:String}), 0)",
    'x',
  ],
  [{ op: 'eq', field: 'author', value: null }, 'isNull(`author`)'],
  [{ op: 'eq', field: 'author', value: 'x' }, '0'],
  [{ op: 'ne', field: 'author', value: null }, 'isNotNull(`author`)'],
  [{ op: 'ne', field: 'author', value: 'x' }, '1'],
  [{ op: 'in', field: 'author', values: ['x'] }, '0'],
  [{ op: 'nin', field: 'author', values: ['x'] }, '1'],
  [{ op: 'all', field: 'author', values: ['x'] }, '0'],
  [{ op: 'gt', field: 'author', value: null }, '0'],
  [
    { op: 'eq', field: 'numbers', value: 3 },
    "has(JSONExtract(ifNull(`numbers`, '[]'), 'Array(Float64)'), {w0:Float64})",
    3,
  ],
  [{ op: 'eq', field: 'numbers', value: 'x' }, '0'],
  [
    { op: 'gt', field: 'numbers', value: 3 },
    "arrayExists(e -> e > {w0:Float64}, JSONExtract(ifNull(`numbers`, '[]'), 'Array(Float64)'))",
    3,
  ],
  [{ op: 'gt', field: 'numbers', value: 'x' }, '0'],
  [
    { op: 'gte', field: 'numbers', value: 2 ** 60 },
    "arrayExists(e -> e >= {w0:Float64}, JSONExtract(ifNull(`numbers`, '[]'), 'Array(Float64)'))",
    '1152921504606847000',
  ],
  [
    { op: 'eq', field: 'numbers', value: 2 ** 60 },
    "has(JSONExtract(ifNull(`numbers`, '[]'), 'Array(Float64)'), {w0:Float64})",
    '1152921504606847000',
  ],
  [
    { op: 'contains', field: 'stage', value: 'a!/:@[`{~b' },
    'match(`stage`, {w0:String})',
    '(?is)a\\!\\/\\:\\@\\[\\`\\{\\~b',
  ],
  [
    { op: 'eq', field: 'people', value: 'x' },
    "has(JSONExtract(ifNull(`people`, '[]'), 'Array(String)'), {w0:String})",
    'x',
  ],
  [{ op: 'not', of: { op: 'eq', field: 'stage', value: 'new' } }, 'NOT ((`stage` = {w0:String}))', 'new'],
]

test('the SQL of every operator, on every kind of field', () => {
  for (const [where, ...expected] of cases) {
    const { sql, params } = toClickhouse(where, Sample)
    expect([where, sql, ...Object.values(params)]).toEqual([where, ...expected])
    expect(Object.keys(params)).toEqual(Object.keys(params).map((_, place) => `w${place}`))
  }
})

test('objects and lists inside a JSON column count as lacking when they are empty text or null', () => {
  const entries = { inner: v.optional(v.object({ deep: v.string() })), list: v.optional(v.array(v.number())) }
  const entity = {
    ...Sample,
    name: 'Nested',
    fields: { ...Sample.fields, author: v.object(entries) },
  } as AnyEntity
  const sql = (where: Where) => toClickhouse(where, entity).sql
  const raw = (name: string) => `nullIf(nullIf(JSONExtractRaw(\`author\`, '${name}'), ''), 'null')`
  expect(sql({ op: 'exists', field: 'author.inner', value: true })).toBe(`isNotNull(${raw('inner')})`)
  expect(sql({ op: 'exists', field: 'author.list', value: false })).toBe(`isNull(${raw('list')})`)
  expect(sql({ op: 'eq', field: 'author.list', value: 1 })).toBe(
    `has(JSONExtract(ifNull(${raw('list')}, '[]'), 'Array(Float64)'), {w0:Float64})`,
  )
  expect(sql({ op: 'eq', field: 'author.inner.deep', value: 'x' })).toContain(
    "JSONExtract(`author`, 'inner', 'deep',",
  )
})

test('a day inside a JSON column is text, as sortable as the day', () => {
  const entity = {
    ...Sample,
    name: 'Dated',
    fields: { ...Sample.fields, author: v.object({ born: day() }) },
  } as AnyEntity
  const { sql, params } = toClickhouse({ op: 'lt', field: 'author.born', value: '1969-12-31' }, entity)
  expect(sql).toBe("ifNull((JSONExtract(`author`, 'born', 'Nullable(String)') < {w0:String}), 0)")
  expect(params).toEqual({ w0: '1969-12-31' })
})

test('a value for grouping is a column or a declared entry; lists, objects and unknown names are refused', () => {
  expect(valueSql(Sample, 'score')).toBe('`score`')
  expect(valueSql(Sample, 'author.followers')).toBe("JSONExtract(`author`, 'followers', 'Nullable(Float64)')")
  expect(() => valueSql(Sample, 'tags')).toThrow('Sample.tags is not a single value')
  expect(() => valueSql(Sample, 'author')).toThrow('Sample.author is not a single value')
  expect(() => valueSql(Sample, 'nope')).toThrow('Sample declares no field nope')
  expect(() => toClickhouse({ op: 'eq', field: 'nope', value: 1 }, Sample)).toThrow(
    'Sample declares no field nope',
  )
})

test('the entries of a list without declared entries are compared as text', () => {
  const fields = { ...Sample.fields, loose: v.array(v.unknown()) }
  const entity = { ...Sample, name: 'Loose', fields } as AnyEntity
  const { sql, params } = toClickhouse({ op: 'eq', field: 'loose', value: 'a' }, entity)
  expect(sql).toBe("has(JSONExtract(ifNull(`loose`, '[]'), 'Array(String)'), {w0:String})")
  expect(params).toEqual({ w0: 'a' })
  expect(toClickhouse({ op: 'eq', field: 'loose', value: 1 }, entity).sql).toBe('0')
})
