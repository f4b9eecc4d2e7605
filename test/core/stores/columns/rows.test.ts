import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { EntryGroupQuery } from '../../../../core/contracts/context'
import type { Scalar, SortKey, Where } from '../../../../core/contracts/where'
import { columnRows } from '../../../../core/stores/columns/rows'
import { arrayEntries, arrayFind } from '../../../support/array-model'
import { freshColumns } from '../../../support/chdb'
import { SampleDay, sampleDayCells, sampleDayTable } from '../../../support/sample-day'

const entity = SampleDay
const table = sampleDayTable

type Doc = Record<string, unknown>
const titles = [
  'Zebra',
  'zebra',
  'Straße',
  'STRASSE',
  'ǅ',
  'İstanbul',
  'istanbul',
  'a.c',
  'abc',
  '100%',
  'it\'s \\ "q"',
  'K',
  'K',
  '😀x',
  '',
  'line\nbreak\ttab',
]
const tagSets = [[], ['a'], ['a', 'b'], ['B', "q'"], ['😀']]

function sampleRows(): Doc[] {
  return Array.from({ length: 120 }, (_, n) => {
    const row: Doc = {
      id: `smp_${String(n).padStart(4, '0')}`,
      workspace_id: `wsp_${n % 3}`,
      location_id: `loc_${n % 5}`,
      stage: ['new', 'contacted', 'won', 'lost'][n % 4],
      is_archived: n % 7 === 0,
      created_date: new Date(1_700_000_000_000 + (n % 10) * 1000).toISOString(),
      updated_date: '2026-01-01T00:00:00.000Z',
    }
    if (n % 2) row.title = titles[n % titles.length]
    if (n % 3) row.score = (n % 11) - 5 + (n % 2) / 2
    if (n % 4) row.rank = n % 6
    if (n % 5) row.is_open = n % 2 === 0
    if (n % 6) row.due = `2026-0${(n % 9) + 1}-15`
    if (n % 7) row.tags = tagSets[n % tagSets.length]
    if (n % 4 === 1) row.numbers = [n % 5, 2.5]
    if (n % 3 === 1) row.author = { handle: titles[n % titles.length], ...(n % 2 ? { followers: n } : {}) }
    if (n % 8 === 0) row.raw = { any: ['thing', null, { x: 1 }] }
    if (n % 5 === 0) row.seen_at = new Date(1_700_000_000_000 + n * 60_000).toISOString()
    return row
  })
}

const rows = sampleRows()
const stored = sampleDayCells

const columns = await freshColumns()
const read = columnRows(columns, entity)
beforeAll(async () => {
  await columns.ensure([table])
  const names = Object.keys(table.columns)
  const stale = rows.map((row) => ({ ...row, stage: 'lost', title: 'stale', score: 99 }))
  await columns.insert(
    table.name,
    names,
    stale.map((row) => stored(row, 1)),
  )
  await columns.insert(
    table.name,
    names,
    rows.map((row) => stored(row, 2)),
  )
})
afterAll(() => columns.close())

const ids = async (where: Where) => (await read.find({ where })).map((row) => row.id)
const all: Where = { op: 'and', of: [] }

describe('on a cluster', () => {
  // The table of one shard has another name there. The engine is the same.
  const clustered = columnRows({ ...columns, own: (name) => `${name}_own` }, entity)
  const broad: Where = { op: 'gt', field: 'score', value: -100 }

  test('a filter is refused by each server before it reads more rows than allowed', async () => {
    expect(await clustered.examined({ where: broad, sort: [{ field: 'score', direction: 'asc' }] }, 50)).toBe(
      50,
    )
    expect(
      await clustered.examined({ where: broad, sort: [{ field: 'score', direction: 'asc' }] }, 5_000),
    ).toBe(0)
  })

  test('a filter that fails for another reason is not called broad', async () => {
    const failing = columnRows(
      { ...columns, own: (name) => `${name}_own`, query: () => Promise.reject(new Error('gone')) },
      entity,
    )
    expect(
      failing.examined({ where: broad, sort: [{ field: 'score', direction: 'asc' }] }, 50),
    ).rejects.toThrow('gone')
  })
})

describe('rows of an entity in columns', () => {
  test('a row replaced a moment ago is seen once, as it was inserted', async () => {
    const found = await read.find({ where: all })
    expect<unknown>(found).toEqual(rows)
    expect(await read.count(all)).toBe(rows.length)
    expect(await read.count(all, 7)).toBe(7)
    expect<unknown>(await read.get('smp_0001')).toEqual(rows[1])
    expect(await read.get('smp_x')).toBeNull()
  })

  test('hidden and unwanted fields are not printed', async () => {
    const page = await read.findJson({
      where: all,
      omit: ['workspace_id', 'raw'],
      fields: ['raw', 'title', 'workspace_id'],
      limit: 2,
    })
    expect(page).toMatchObject({
      body: '[{"id":"smp_0000"},{"id":"smp_0001","title":"zebra"}]',
      count: 2,
      more: true,
    })
    expect(await read.findJson({ where: { op: 'or', of: [] }, omit: [] })).toEqual({
      body: '[]',
      count: 0,
      more: false,
      last: null,
    })
  })

  test('pages by cursor hold every row once, whatever is missing', async () => {
    const sorts: SortKey[][] = [
      [{ field: 'score', direction: 'desc' }],
      [{ field: 'score', direction: 'asc', nulls: 'last' }],
      [
        { field: 'is_open', direction: 'desc' },
        { field: 'due', direction: 'asc', nulls: 'last' },
      ],
      [
        { field: 'score', direction: 'asc' },
        { field: 'due', direction: 'desc' },
      ],
      [
        { field: 'is_open', direction: 'asc' },
        { field: 'title', direction: 'desc' },
      ],
      [{ field: 'created_date', direction: 'desc' }],
      [],
    ]
    for (const sort of sorts) {
      const whole = (await read.find({ where: all, sort })).map((row) => row.id)
      const paged: unknown[] = []
      let after: { values: readonly Scalar[]; id: string } | undefined
      for (;;) {
        const page = await read.findJson({
          where: all,
          sort,
          limit: 13,
          omit: [],
          ...(after ? { after } : {}),
        })
        paged.push(...JSON.parse(page.body as string).map((row: Doc) => row.id))
        expect(page.last?.values).toHaveLength(sort.length)
        if (!page.more || !page.last) break
        after = page.last
      }
      expect(paged).toEqual(whole)
      expect(whole).toEqual(arrayFind(rows, { where: all, sort }).map((row) => String(row.id)))
    }
  })

  test('groups by fields and by the day, week and month of an instant in a zone', async () => {
    const byStage = await read.group({
      by: ['stage'],
      measures: [
        { as: 'score', fn: 'sum', field: 'score' },
        { as: 'n', fn: 'count' },
      ],
    })
    const sum = (stage: string) =>
      rows.filter((row) => row.stage === stage).reduce((total, row) => total + Number(row.score ?? 0), 0)
    expect(byStage).toEqual(
      ['contacted', 'lost', 'new', 'won'].map((stage) => ({ stage, score: sum(stage), n: 30 })),
    )
    const followers = (isOpen: boolean | null) =>
      rows.filter(
        (row) =>
          (row.is_open ?? null) === isOpen &&
          (row.author as { followers?: number } | undefined)?.followers !== undefined,
      ).length
    const none: Where = { op: 'eq', field: 'id', value: 'none' }
    const over = (['sum', 'avg', 'min', 'max'] as const).map((fn) => ({
      as: fn,
      fn,
      field: 'author.followers',
    }))
    expect(await read.group({ where: none, by: [], measures: over })).toEqual([
      { sum: 0, avg: null, min: null, max: null },
    ])
    expect(
      await read.group({
        where: all,
        by: ['is_open'],
        measures: [
          { as: 'most', fn: 'max', field: 'author.followers' },
          { as: 'known', fn: 'count', field: 'author.followers' },
        ],
      }),
    ).toEqual([
      { is_open: null, most: 115, known: followers(null) },
      { is_open: false, most: 109, known: followers(false) },
      { is_open: true, most: null, known: followers(true) },
    ])
    const cut = async (unit: 'day' | 'week' | 'month') =>
      (
        await read.group({
          where: { op: 'eq', field: 'id', value: 'smp_0005' },
          by: [{ field: 'seen_at', unit, timezone: 'Asia/Tokyo' }],
          measures: [{ as: 'n', fn: 'count' }],
        })
      )[0]
    expect([await cut('day'), await cut('week'), await cut('month')]).toEqual([
      { seen_at: '2023-11-15', n: 1 },
      { seen_at: '2023-11-13', n: 1 },
      { seen_at: '2023-11-01', n: 1 },
    ])
  })

  test('a field that is not declared reaches no SQL', async () => {
    await expect(ids({ op: 'eq', field: 'rev', value: 1 })).rejects.toThrow(/declares no field rev/)
    await expect(ids({ op: 'eq', field: '1=1 OR `', value: 1 })).rejects.toThrow(/declares no field/)
  })
})

describe('chosen fields and entries', () => {
  test('hold what was asked for, and the id', async () => {
    const query = { where: all, sort: [{ field: 'id', direction: 'asc' }] } as const
    const whole = await read.find(query)
    for (const fields of [['title', 'tags'], ['author', 'score'], []]) {
      const kept = new Set(['id', ...fields])
      expect<unknown>(await read.find({ ...query, fields })).toEqual(
        whole.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => kept.has(name)))),
      )
    }
  })

  test('of lists are grouped as a plain model groups them, what is missing included', async () => {
    const queries: EntryGroupQuery[] = [
      { of: 'tags', by: [{ as: 'tag', entry: 'value' }], measures: [{ as: 'n', fn: 'count' }] },
      {
        of: 'numbers',
        by: ['stage'],
        measures: [
          { as: 'sum', fn: 'sum', entry: 'value' },
          { as: 'first', fn: 'min', field: 'id' },
          { as: 'last', fn: 'max', field: 'score' },
        ],
      },
      { where: { op: 'eq', field: 'stage', value: 'won' }, of: 'tags', by: ['rank'], measures: [] },
      ...([undefined, 'value'] as const).map(
        (part): EntryGroupQuery => ({
          of: ['tags', 'tags'],
          by: ['stage', { as: 'tag', entry: 'value' }],
          measures: [{ as: 'n', fn: 'count' }],
          ...(part ? { unlessFirst: part } : {}),
        }),
      ),
      { where: { op: 'eq', field: 'id', value: 'none' }, of: 'tags', by: ['id'], measures: [] },
      ...[...new Set(rows.flatMap(({ tags }) => tags as string[])), "none' OR 1=1 --"].map(
        (value): EntryGroupQuery => ({
          of: 'tags',
          entryIs: { entry: 'value', value },
          by: ['stage', { as: 'tag', entry: 'value' }],
          measures: [{ as: 'n', fn: 'count' }],
        }),
      ),
    ]
    for (const query of queries) expect(await read.groupEntries(query)).toEqual(arrayEntries(rows, query))
  })

  test('refuse what is no entry: no name that is not declared or plain reaches SQL', async () => {
    const group = (of: string, entry: string) =>
      read.groupEntries({ of, by: [{ as: 'x', entry: entry as 'value' }], measures: [] })
    await expect(group('rev', 'value')).rejects.toThrow('declares no field rev')
    await expect(group('title', 'value')).rejects.toThrow('has no entries')
    await expect(group('author', 'key')).rejects.toThrow('has no entries')
    const several = (of: string[]) =>
      read.groupEntries({ of, unlessFirst: 'value', by: ['id'], measures: [{ as: 'n', fn: 'count' }] })
    const only = read.groupEntries({
      of: 'tags',
      entryIs: { entry: 'value', value: 'x' },
      by: ['id'],
      measures: [{ as: 'n', fn: 'count' }],
    })
    await expect(only).rejects.toThrow('must be grouped by')
    await expect(several(['tags', 'tags'])).rejects.toThrow('must be grouped by')
    await expect(several(['tags', 'raw'])).rejects.toThrow('are not lists')
    await expect(group('tags', 'key')).rejects.toThrow('have no key')
    await expect(group('people', "value.x') OR 1")).rejects.toThrow('not a member of an entry')
    expect(await group('people', 'value.name')).toEqual([])
  })
})

describe('filters', () => {
  test('days outside what a Date holds compare as days', async () => {
    expect(await ids({ op: 'gt', field: 'due', value: '1900-01-01' })).toHaveLength(100)
    expect(await ids({ op: 'lt', field: 'due', value: '9999-01-01' })).toHaveLength(100)
    expect(await ids({ op: 'lte', field: 'due', value: '1969-12-31' })).toHaveLength(0)
    expect(await ids({ op: 'in', field: 'due', values: ['9999-01-01', '2026-02-15'] })).not.toHaveLength(0)
  })

  test('random trees find what a plain model finds', async () => {
    await fc.assert(
      fc.asyncProperty(tree(3), async (where) => {
        const expected = arrayFind(rows, { where, sort: [] }).map((row) => row.id)
        expect<unknown>(await ids(where)).toEqual(expected)
        expect(await read.count(where)).toBe(expected.length)
      }),
      { numRuns: process.env.RENOWN_LONG ? 5000 : 60 },
    )
  }, 120_000)
})

const values: Record<string, fc.Arbitrary<Scalar>> = {
  title: fc.constantFrom(...titles, 'nothing'),
  stage: fc.constantFrom('new', 'won', 'other'),
  score: fc.constantFrom(-5, -1.5, 0, 3, 4.5, 1e300),
  rank: fc.constantFrom(0, 1, 5, 2.5, -1),
  is_open: fc.boolean(),
  due: fc.constantFrom('2026-02-15', '2026-05-15', '1900-01-01', '2200-01-01'),
  seen_at: fc.constantFrom('2023-11-14T22:18:20.000Z', '2023-11-15T00:00:00.000Z'),
  tags: fc.constantFrom('a', 'b', "q'", '😀', 'c'),
  numbers: fc.constantFrom(1, 2.5, 4),
  'author.handle': fc.constantFrom(...titles),
  'author.followers': fc.constantFrom(1, 7, 31),
  id: fc.constantFrom('smp_0003', 'smp_0050', 'x'),
}
const texts = new Set(['title', 'tags'])
const bits = fc.constantFrom(
  'ze',
  'STRA',
  'ß',
  'ss',
  'k',
  'K',
  'i',
  'İ',
  '.',
  '%',
  '\\',
  "'",
  '"',
  '😀',
  'A.C',
  '\n',
)

const leaf: fc.Arbitrary<Where> = fc
  .constantFrom(...Object.keys(values))
  .chain((field): fc.Arbitrary<Where> => {
    const value = values[field] as fc.Arbitrary<Scalar>
    const isArray = field === 'tags' || field === 'numbers'
    const many = fc.array(
      fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
      { minLength: 1, maxLength: 4 },
    )
    return fc.oneof<fc.Arbitrary<Where>[]>(
      fc.record({
        op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
        field: fc.constant(field),
        value,
      }),
      fc.record({ op: fc.constantFrom('eq', 'ne'), field: fc.constant(field), value: fc.constant(null) }),
      fc.record({ op: fc.constantFrom('in', 'nin'), field: fc.constant(field), values: many }),
      fc.record({ op: fc.constant('exists'), field: fc.constant(field), value: fc.boolean() }),
      ...(isArray
        ? [
            fc.record({ op: fc.constant('size'), field: fc.constant(field), value: fc.nat(3) }),
            fc.record({
              op: fc.constant('all'),
              field: fc.constant(field),
              values: fc.array(value, { minLength: 1, maxLength: 2 }),
            }),
          ]
        : []),
      ...(texts.has(field)
        ? [
            fc.record({
              op: fc.constantFrom('contains', 'startsWith'),
              field: fc.constant(field),
              value: bits,
            }),
          ]
        : []),
    ) as fc.Arbitrary<Where>
  })

function tree(depth: number): fc.Arbitrary<Where> {
  if (depth === 0) return leaf
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constantFrom('and', 'or', 'nor'),
        of: fc.array(tree(depth - 1), { maxLength: 3 }),
      }) as fc.Arbitrary<Where>,
    },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('not'), of: tree(depth - 1) }) as fc.Arbitrary<Where>,
    },
  )
}
