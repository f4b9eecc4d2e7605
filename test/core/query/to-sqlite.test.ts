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

/** A filter, its SQL and the values of its parameters. `tags` is a list. */
const cases: readonly (readonly [Where, ...unknown[]])[] = [
  [{ op: 'eq', field: 'rank', value: 3 }, 'rank = +?', 3],
  [{ op: 'not', of: { op: 'eq', field: 'rank', value: 3 } }, 'rank IS NOT +?', 3],
  [{ op: 'eq', field: 'rank', value: null }, 'rank IS NULL'],
  [{ op: 'not', of: { op: 'eq', field: 'rank', value: null } }, 'rank IS NOT NULL'],
  [
    { op: 'eq', field: 'tags', value: 'a' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?)',
    'a',
  ],
  [
    { op: 'not', of: { op: 'eq', field: 'tags', value: 'a' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?)',
    'a',
  ],
  [
    { op: 'eq', field: 'tags', value: null },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [
    { op: 'not', of: { op: 'eq', field: 'tags', value: null } },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [{ op: 'ne', field: 'rank', value: 3 }, 'rank IS NOT +?', 3],
  [{ op: 'not', of: { op: 'ne', field: 'rank', value: 3 } }, 'rank = +?', 3],
  [{ op: 'ne', field: 'rank', value: null }, 'rank IS NOT NULL'],
  [{ op: 'not', of: { op: 'ne', field: 'rank', value: null } }, 'rank IS NULL'],
  [
    { op: 'ne', field: 'tags', value: 'a' },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?)',
    'a',
  ],
  [
    { op: 'not', of: { op: 'ne', field: 'tags', value: 'a' } },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?)',
    'a',
  ],
  [
    { op: 'ne', field: 'tags', value: null },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [
    { op: 'not', of: { op: 'ne', field: 'tags', value: null } },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [{ op: 'gt', field: 'rank', value: 3 }, 'rank > +?', 3],
  [{ op: 'not', of: { op: 'gt', field: 'rank', value: 3 } }, '(rank <= +? OR rank IS NULL)', 3],
  [{ op: 'gt', field: 'rank', value: null }, '0'],
  [{ op: 'not', of: { op: 'gt', field: 'rank', value: null } }, '1'],
  [
    { op: 'gt', field: 'tags', value: 'a' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value > +?)',
    'a',
  ],
  [
    { op: 'not', of: { op: 'gt', field: 'tags', value: 'a' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value > +?)',
    'a',
  ],
  [{ op: 'gt', field: 'tags', value: null }, 'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)'],
  [
    { op: 'not', of: { op: 'gt', field: 'tags', value: null } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)',
  ],
  [{ op: 'gte', field: 'rank', value: 3 }, 'rank >= +?', 3],
  [{ op: 'not', of: { op: 'gte', field: 'rank', value: 3 } }, '(rank < +? OR rank IS NULL)', 3],
  [{ op: 'gte', field: 'rank', value: null }, '0'],
  [{ op: 'not', of: { op: 'gte', field: 'rank', value: null } }, '1'],
  [
    { op: 'gte', field: 'tags', value: 'a' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value >= +?)',
    'a',
  ],
  [
    { op: 'not', of: { op: 'gte', field: 'tags', value: 'a' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value >= +?)',
    'a',
  ],
  [{ op: 'gte', field: 'tags', value: null }, 'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)'],
  [
    { op: 'not', of: { op: 'gte', field: 'tags', value: null } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)',
  ],
  [{ op: 'lt', field: 'rank', value: 3 }, 'rank < +?', 3],
  [{ op: 'not', of: { op: 'lt', field: 'rank', value: 3 } }, '(rank >= +? OR rank IS NULL)', 3],
  [{ op: 'lt', field: 'rank', value: null }, '0'],
  [{ op: 'not', of: { op: 'lt', field: 'rank', value: null } }, '1'],
  [
    { op: 'lt', field: 'tags', value: 'a' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value < +?)',
    'a',
  ],
  [
    { op: 'not', of: { op: 'lt', field: 'tags', value: 'a' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value < +?)',
    'a',
  ],
  [{ op: 'lt', field: 'tags', value: null }, 'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)'],
  [
    { op: 'not', of: { op: 'lt', field: 'tags', value: null } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)',
  ],
  [{ op: 'lte', field: 'rank', value: 3 }, 'rank <= +?', 3],
  [{ op: 'not', of: { op: 'lte', field: 'rank', value: 3 } }, '(rank > +? OR rank IS NULL)', 3],
  [{ op: 'lte', field: 'rank', value: null }, '0'],
  [{ op: 'not', of: { op: 'lte', field: 'rank', value: null } }, '1'],
  [
    { op: 'lte', field: 'tags', value: 'a' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value <= +?)',
    'a',
  ],
  [
    { op: 'not', of: { op: 'lte', field: 'tags', value: 'a' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value <= +?)',
    'a',
  ],
  [{ op: 'lte', field: 'tags', value: null }, 'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)'],
  [
    { op: 'not', of: { op: 'lte', field: 'tags', value: null } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0)',
  ],
  [{ op: 'in', field: 'rank', values: [1, 2] }, 'rank IN (+?, +?)', 1, 2],
  [
    { op: 'not', of: { op: 'in', field: 'rank', values: [1, 2] } },
    '(rank NOT IN (+?, +?) OR rank IS NULL)',
    1,
    2,
  ],
  [{ op: 'in', field: 'rank', values: [1, null] }, '(rank IN (+?) OR rank IS NULL)', 1],
  [
    { op: 'not', of: { op: 'in', field: 'rank', values: [1, null] } },
    '(rank NOT IN (+?) AND rank IS NOT NULL)',
    1,
  ],
  [{ op: 'in', field: 'rank', values: [null] }, 'rank IS NULL'],
  [{ op: 'not', of: { op: 'in', field: 'rank', values: [null] } }, 'rank IS NOT NULL'],
  [{ op: 'in', field: 'rank', values: [] }, '0'],
  [{ op: 'not', of: { op: 'in', field: 'rank', values: [] } }, '1'],
  [
    { op: 'in', field: 'tags', values: ['a', 'b'] },
    '(EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IN (+?, +?)))',
    'a',
    'b',
  ],
  [
    { op: 'not', of: { op: 'in', field: 'tags', values: ['a', 'b'] } },
    'NOT (EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IN (+?, +?)))',
    'a',
    'b',
  ],
  [
    { op: 'in', field: 'tags', values: ['a', null] },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE (e.value IN (+?) OR e.value IS NULL)))',
    'a',
  ],
  [
    { op: 'not', of: { op: 'in', field: 'tags', values: ['a', null] } },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE (e.value IN (+?) OR e.value IS NULL)))',
    'a',
  ],
  [{ op: 'in', field: 'tags', values: [] }, '(EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0))'],
  [
    { op: 'not', of: { op: 'in', field: 'tags', values: [] } },
    'NOT (EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0))',
  ],
  [
    { op: 'in', field: 'tags', values: [null] },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [
    { op: 'not', of: { op: 'in', field: 'tags', values: [null] } },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [{ op: 'nin', field: 'rank', values: [1, 2] }, '(rank NOT IN (+?, +?) OR rank IS NULL)', 1, 2],
  [{ op: 'not', of: { op: 'nin', field: 'rank', values: [1, 2] } }, 'rank IN (+?, +?)', 1, 2],
  [{ op: 'nin', field: 'rank', values: [1, null] }, '(rank NOT IN (+?) AND rank IS NOT NULL)', 1],
  [{ op: 'not', of: { op: 'nin', field: 'rank', values: [1, null] } }, '(rank IN (+?) OR rank IS NULL)', 1],
  [{ op: 'nin', field: 'rank', values: [null] }, 'rank IS NOT NULL'],
  [{ op: 'not', of: { op: 'nin', field: 'rank', values: [null] } }, 'rank IS NULL'],
  [{ op: 'nin', field: 'rank', values: [] }, '1'],
  [{ op: 'not', of: { op: 'nin', field: 'rank', values: [] } }, '0'],
  [
    { op: 'nin', field: 'tags', values: ['a', 'b'] },
    'NOT (EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IN (+?, +?)))',
    'a',
    'b',
  ],
  [
    { op: 'not', of: { op: 'nin', field: 'tags', values: ['a', 'b'] } },
    '(EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IN (+?, +?)))',
    'a',
    'b',
  ],
  [
    { op: 'nin', field: 'tags', values: ['a', null] },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE (e.value IN (+?) OR e.value IS NULL)))',
    'a',
  ],
  [
    { op: 'not', of: { op: 'nin', field: 'tags', values: ['a', null] } },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE (e.value IN (+?) OR e.value IS NULL)))',
    'a',
  ],
  [{ op: 'nin', field: 'tags', values: [] }, 'NOT (EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0))'],
  [
    { op: 'not', of: { op: 'nin', field: 'tags', values: [] } },
    '(EXISTS (SELECT 1 FROM json_each(list) AS e WHERE 0))',
  ],
  [
    { op: 'nin', field: 'tags', values: [null] },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [
    { op: 'not', of: { op: 'nin', field: 'tags', values: [null] } },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [{ op: 'all', field: 'rank', values: [1, 2] }, '(rank = +? AND rank = +?)', 1, 2],
  [
    { op: 'not', of: { op: 'all', field: 'rank', values: [1, 2] } },
    '(rank IS NOT +? OR rank IS NOT +?)',
    1,
    2,
  ],
  [{ op: 'all', field: 'rank', values: [1, null] }, '(rank = +? AND rank IS NULL)', 1],
  [
    { op: 'not', of: { op: 'all', field: 'rank', values: [1, null] } },
    '(rank IS NOT +? OR rank IS NOT NULL)',
    1,
  ],
  [{ op: 'all', field: 'rank', values: [null] }, 'rank IS NULL'],
  [{ op: 'not', of: { op: 'all', field: 'rank', values: [null] } }, 'rank IS NOT NULL'],
  [{ op: 'all', field: 'rank', values: [] }, '1'],
  [{ op: 'not', of: { op: 'all', field: 'rank', values: [] } }, '0'],
  [
    { op: 'all', field: 'tags', values: ['a', 'b'] },
    '(EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?) AND EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?))',
    'a',
    'b',
  ],
  [
    { op: 'not', of: { op: 'all', field: 'tags', values: ['a', 'b'] } },
    '(NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?) OR NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?))',
    'a',
    'b',
  ],
  [
    { op: 'all', field: 'tags', values: ['a', null] },
    '(EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?) AND (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL)))',
    'a',
  ],
  [
    { op: 'not', of: { op: 'all', field: 'tags', values: ['a', null] } },
    '(NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value = +?) OR NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL)))',
    'a',
  ],
  [{ op: 'all', field: 'tags', values: [] }, '1'],
  [{ op: 'not', of: { op: 'all', field: 'tags', values: [] } }, '0'],
  [
    { op: 'all', field: 'tags', values: [null] },
    '(tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [
    { op: 'not', of: { op: 'all', field: 'tags', values: [null] } },
    'NOT (tags IS NULL OR EXISTS (SELECT 1 FROM json_each(list) AS e WHERE e.value IS NULL))',
  ],
  [{ op: 'exists', field: 'rank', value: true }, 'rank IS NOT NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'rank', value: true } }, 'rank IS NULL'],
  [{ op: 'exists', field: 'rank', value: false }, 'rank IS NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'rank', value: false } }, 'rank IS NOT NULL'],
  [{ op: 'exists', field: 'tags', value: true }, "coalesce(json_type(list) = 'array', 0)"],
  [
    { op: 'not', of: { op: 'exists', field: 'tags', value: true } },
    "NOT coalesce(json_type(list) = 'array', 0)",
  ],
  [{ op: 'exists', field: 'tags', value: false }, "NOT coalesce(json_type(list) = 'array', 0)"],
  [
    { op: 'not', of: { op: 'exists', field: 'tags', value: false } },
    "coalesce(json_type(list) = 'array', 0)",
  ],
  [{ op: 'exists', field: 'author', value: true }, 'author IS NOT NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'author', value: true } }, 'author IS NULL'],
  [{ op: 'exists', field: 'author', value: false }, 'author IS NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'author', value: false } }, 'author IS NOT NULL'],
  [{ op: 'exists', field: 'stage', value: true }, 'stage IS NOT NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'stage', value: true } }, 'stage IS NULL'],
  [{ op: 'exists', field: 'stage', value: false }, 'stage IS NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'stage', value: false } }, 'stage IS NOT NULL'],
  [{ op: 'exists', field: 'author.handle', value: true }, 'author.handle IS NOT NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'author.handle', value: true } }, 'author.handle IS NULL'],
  [{ op: 'exists', field: 'author.handle', value: false }, 'author.handle IS NULL'],
  [{ op: 'not', of: { op: 'exists', field: 'author.handle', value: false } }, 'author.handle IS NOT NULL'],
  [{ op: 'size', field: 'rank', value: 2 }, '0'],
  [{ op: 'not', of: { op: 'size', field: 'rank', value: 2 } }, '1'],
  [
    { op: 'size', field: 'tags', value: 2 },
    "coalesce(json_type(list) = 'array' AND json_array_length(list) = +?, 0)",
    2,
  ],
  [
    { op: 'not', of: { op: 'size', field: 'tags', value: 2 } },
    "NOT coalesce(json_type(list) = 'array' AND json_array_length(list) = +?, 0)",
    2,
  ],
  [{ op: 'contains', field: 'title', value: 'a.1' }, 'text_matches(title, +?)', '[aA]\\.1'],
  [
    { op: 'not', of: { op: 'contains', field: 'title', value: 'a.1' } },
    'NOT text_matches(title, +?)',
    '[aA]\\.1',
  ],
  [
    { op: 'contains', field: 'tags', value: 'a.1' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE text_matches(e.value, +?))',
    '[aA]\\.1',
  ],
  [
    { op: 'not', of: { op: 'contains', field: 'tags', value: 'a.1' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE text_matches(e.value, +?))',
    '[aA]\\.1',
  ],
  [{ op: 'startsWith', field: 'title', value: 'a.1' }, 'text_matches(title, +?)', '^[aA]\\.1'],
  [
    { op: 'not', of: { op: 'startsWith', field: 'title', value: 'a.1' } },
    'NOT text_matches(title, +?)',
    '^[aA]\\.1',
  ],
  [
    { op: 'startsWith', field: 'tags', value: 'a.1' },
    'EXISTS (SELECT 1 FROM json_each(list) AS e WHERE text_matches(e.value, +?))',
    '^[aA]\\.1',
  ],
  [
    { op: 'not', of: { op: 'startsWith', field: 'tags', value: 'a.1' } },
    'NOT EXISTS (SELECT 1 FROM json_each(list) AS e WHERE text_matches(e.value, +?))',
    '^[aA]\\.1',
  ],
  [{ op: 'and', of: [] }, '1'],
  [{ op: 'not', of: { op: 'and', of: [] } }, '0'],
  [{ op: 'or', of: [] }, '0'],
  [{ op: 'not', of: { op: 'or', of: [] } }, '1'],
  [{ op: 'nor', of: [] }, '1'],
  [{ op: 'not', of: { op: 'nor', of: [] } }, '0'],
  [{ op: 'and', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, 'stage = +?', 'new'],
  [
    { op: 'not', of: { op: 'and', of: [{ op: 'eq', field: 'stage', value: 'new' }] } },
    'stage IS NOT +?',
    'new',
  ],
  [
    {
      op: 'and',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '(stage = +? AND rank > +?)',
    'new',
    2,
  ],
  [
    {
      op: 'not',
      of: {
        op: 'and',
        of: [
          { op: 'eq', field: 'stage', value: 'new' },
          { op: 'gt', field: 'rank', value: 2 },
        ],
      },
    },
    '(stage IS NOT +? OR (rank <= +? OR rank IS NULL))',
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
    '(stage = +? AND (stage = +? OR rank > +?))',
    'new',
    'new',
    2,
  ],
  [
    {
      op: 'not',
      of: {
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
    },
    '(stage IS NOT +? OR (stage IS NOT +? AND (rank <= +? OR rank IS NULL)))',
    'new',
    'new',
    2,
  ],
  [{ op: 'or', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, 'stage = +?', 'new'],
  [
    { op: 'not', of: { op: 'or', of: [{ op: 'eq', field: 'stage', value: 'new' }] } },
    'stage IS NOT +?',
    'new',
  ],
  [
    {
      op: 'or',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '(stage = +? OR rank > +?)',
    'new',
    2,
  ],
  [
    {
      op: 'not',
      of: {
        op: 'or',
        of: [
          { op: 'eq', field: 'stage', value: 'new' },
          { op: 'gt', field: 'rank', value: 2 },
        ],
      },
    },
    '(stage IS NOT +? AND (rank <= +? OR rank IS NULL))',
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
    '(stage = +? OR (stage = +? OR rank > +?))',
    'new',
    'new',
    2,
  ],
  [
    {
      op: 'not',
      of: {
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
    },
    '(stage IS NOT +? AND (stage IS NOT +? AND (rank <= +? OR rank IS NULL)))',
    'new',
    'new',
    2,
  ],
  [{ op: 'nor', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, 'stage IS NOT +?', 'new'],
  [{ op: 'not', of: { op: 'nor', of: [{ op: 'eq', field: 'stage', value: 'new' }] } }, 'stage = +?', 'new'],
  [
    {
      op: 'nor',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '(stage IS NOT +? AND (rank <= +? OR rank IS NULL))',
    'new',
    2,
  ],
  [
    {
      op: 'not',
      of: {
        op: 'nor',
        of: [
          { op: 'eq', field: 'stage', value: 'new' },
          { op: 'gt', field: 'rank', value: 2 },
        ],
      },
    },
    '(stage = +? OR rank > +?)',
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
    '(stage IS NOT +? AND (stage IS NOT +? AND (rank <= +? OR rank IS NULL)))',
    'new',
    'new',
    2,
  ],
  [
    {
      op: 'not',
      of: {
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
    },
    '(stage = +? OR (stage = +? OR rank > +?))',
    'new',
    'new',
    2,
  ],
]

test('the SQL of every operator and of its negation', () => {
  const place = (path: string) => (path === 'tags' ? { value: 'tags', list: 'list' } : { value: path })
  for (const [where, ...expected] of cases) {
    const { sql, params } = toSqlite(where, place)
    expect<unknown[]>([where, sql, ...params]).toEqual([where, ...expected])
  }
})
