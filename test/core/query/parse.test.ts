import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isRefusal, type Refusal, type Where } from 'renown'
import { fieldAt } from '../../../core/kit/fields'
import { decodeCursor, encodeCursor } from '../../../core/query/cursor'
import { filterBounds } from '../../../core/query/filter'
import { listParameters, parseListQuery } from '../../../core/query/parse'
import { Sample } from '../../support/sample-entity'

const list = (params: Record<string, string> | string) => parseListQuery(Sample, new URLSearchParams(params))
const filter = (q: unknown) => {
  const { where } = list({ q: JSON.stringify(q) })
  return where.op === 'and' ? where.of[0] : where
}

function refusal(run: () => unknown): Refusal {
  try {
    run()
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
  throw new Error('it was not refused')
}
const refused = (params: Record<string, string> | string) => refusal(() => list(params))
const refusedFilter = (q: unknown) => refused({ q: typeof q === 'string' ? q : JSON.stringify(q) })

describe('a list without parameters', () => {
  test('has the defaults, without what the entity leaves out', () => {
    expect(list('')).toEqual({
      where: {
        op: 'and',
        of: [
          { op: 'ne', field: 'is_archived', value: true },
          { op: 'eq', field: 'removed_at', value: null },
        ],
      },
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit: 100,
      limitApplied: false,
      skip: 0,
      count: false,
    })
  })

  test('shows an `except` field when q names it, at any depth; never an `exceptSet` one', () => {
    const { where } = list({ q: '{"$or":[{"is_archived":true},{"removed_at":{"$exists":true}}]}' })
    const text = JSON.stringify(where)
    expect(text).not.toContain('"ne"')
    expect(text).toContain('{"op":"eq","field":"removed_at","value":null}')
  })
})

describe('q', () => {
  test('takes values, null, lists and every operator', () => {
    expect(filter({ stage: 'new' })).toEqual({ op: 'eq', field: 'stage', value: 'new' })
    expect(filter({ score: null })).toEqual({ op: 'eq', field: 'score', value: null })
    expect(filter({ stage: ['new', null] })).toEqual({ op: 'in', field: 'stage', values: ['new', null] })
    expect(filter({ score: { $gte: 1, $lt: 5.5 } })).toEqual({
      op: 'and',
      of: [
        { op: 'gte', field: 'score', value: 1 },
        { op: 'lt', field: 'score', value: 5.5 },
      ],
    })
    expect(filter({ tags: { $all: ['a', 'b'] } })).toEqual({ op: 'all', field: 'tags', values: ['a', 'b'] })
    expect(filter({ tags: { $size: 2 } })).toEqual({ op: 'size', field: 'tags', value: 2 })
    expect(filter({ tags: 'a' })).toEqual({ op: 'eq', field: 'tags', value: 'a' })
    expect(filter({ title: { $contains: 'a%_\\.' } })).toEqual({
      op: 'contains',
      field: 'title',
      value: 'a%_\\.',
    })
    expect(filter({ title: { $not: { $startsWith: 'x' } } })).toEqual({
      op: 'not',
      of: { op: 'startsWith', field: 'title', value: 'x' },
    })
    expect(filter({ $nor: [{ kind: 'a' }, {}] })).toEqual({
      op: 'nor',
      of: [
        { op: 'eq', field: 'kind', value: 'a' },
        { op: 'and', of: [] },
      ],
    })
    expect(filter({ due: '2026-02-28' })).toEqual({ op: 'eq', field: 'due', value: '2026-02-28' })
    expect(filter({ is_open: { $ne: true } })).toEqual({ op: 'ne', field: 'is_open', value: true })
    expect(filter({ people: { $exists: false } })).toEqual({ op: 'exists', field: 'people', value: false })
    expect(filter({ 'author.handle': { $ne: 'x' } })).toEqual({
      op: 'ne',
      field: 'author.handle',
      value: 'x',
    })
  })

  test('joins every condition it names', () => {
    const both = [
      { op: 'eq', field: 'stage', value: 'new' },
      { op: 'eq', field: 'rank', value: 2 },
    ]
    expect(filter({ stage: 'new', rank: 2 })).toEqual({ op: 'and', of: both } as Where)
    expect(filter({ $or: [{ stage: 'new', rank: 2 }, {}] })).toEqual({
      op: 'or',
      of: [
        { op: 'and', of: both },
        { op: 'and', of: [] },
      ],
    } as Where)
    expect(filter({ $or: [{ stage: 'new' }] })).toEqual({ op: 'or', of: [both[0]] } as Where)
    expect(filter({})).toEqual({ op: 'and', of: [] })
  })

  test('takes null on any field, also on objects and lists, and nothing else on an object', () => {
    expect(filter({ author: null })).toEqual({ op: 'eq', field: 'author', value: null })
    expect(filter({ people: { $ne: null } })).toEqual({ op: 'ne', field: 'people', value: null })
    expect(filter({ people: { $size: 0 } })).toEqual({ op: 'size', field: 'people', value: 0 })
    expect(filter({ 'author.handle': null })).toEqual({ op: 'eq', field: 'author.handle', value: null })
    for (const q of [{ author: 'x' }, { author: [null] }, { people: ['x'] }, { people: [null] }]) {
      const [fault] = refusedFilter(q).details.errors ?? []
      expect([q, fault?.code, fault?.message]).toEqual([
        q,
        'wrong_type',
        expect.stringContaining('takes null or'),
      ])
    }
    expect(refusedFilter({ author: { $in: [null] } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ author: { $gt: null } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ people: { $all: ['x'] } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ numbers: { $contains: 'x' } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ stage: { $eq: 'new', x: 1 } }).details.errors?.[0]?.code).toBe('wrong_type')
  })

  test('lists text operators on fields declared searchable, elements of lists too', () => {
    expect(filter({ tags: { $startsWith: 'a' } })).toEqual({ op: 'startsWith', field: 'tags', value: 'a' })
    expect(refusedFilter({ kind: { $startsWith: 'a' } }).details.errors?.[0]?.allowed).not.toContain(
      '$contains',
    )
    const longest = 'é'.repeat(128)
    expect(filter({ title: { $contains: longest } })).toMatchObject({ value: longest })
    expect(filter({ title: { $contains: '🎉'.repeat(128) } })).toMatchObject({ op: 'contains' })
  })

  test('names the entity’s `except` field by its root, and is operator_not_allowed only when nothing else is wrong', () => {
    const both = refusedFilter({ stage: { $regex: 'x' }, rank: 'x' })
    expect([both.code, both.details.errors?.length]).toEqual(['invalid_filter', 2])
    expect(both.message).toContain('/stage/$regex')
    const entity = { ...Sample, except: { author: 'x' } }
    const { where } = parseListQuery(entity, new URLSearchParams({ q: '{"author.handle":"x"}' }))
    expect(JSON.stringify(where)).not.toContain('"field":"author"')
  })

  test('is measured in bytes: 8,192 fit', () => {
    const frame = JSON.stringify({ title: '' }).length
    expect(filter({ title: 'x'.repeat(filterBounds.bytes - frame) })).toBeDefined()
    expect(refusedFilter({ title: 'x'.repeat(filterBounds.bytes - frame + 1) }).code).toBe('invalid_filter')
  })

  test('counts the levels of operators too', () => {
    const not = (levels: number): unknown => (levels === 0 ? { $eq: 'x' } : { $not: not(levels - 1) })
    expect(filter({ kind: not(3) })).toBeDefined()
    expect(refusedFilter({ kind: not(4) }).details.errors?.[0]?.code).toBe('too_deep')
  })

  test('normalises instants of any offset, also in lists and sub-fields', () => {
    const normal = '2026-11-20T16:00:00.000Z'
    expect(filter({ seen_at: { $gt: '2026-11-20T18:00:00+02:00' } })).toMatchObject({ value: normal })
    expect(filter({ seen_at: ['2026-11-20T16:00:00Z'] })).toMatchObject({ values: [normal] })
    expect(filter({ 'author.at': '2026-11-20T16:00:00Z' })).toMatchObject({ value: normal })
    expect(refusedFilter({ seen_at: '2026-11-20' }).details.errors?.[0]?.message).toContain('RFC 3339')
  })

  test('that is no JSON object is 400', () => {
    for (const q of ['', '{', '[]', 'null', '"x"', '1', '{"a":1}}', '['.repeat(4000)]) {
      const error = refusedFilter(q)
      expect([error.code, error.status]).toEqual(['malformed_filter', 400])
    }
  })

  test('names the place, the code and what would be accepted', () => {
    const error = refusedFilter({ $and: [{ stage: { $in: ['new', 'nwe'] } }] })
    expect(error.code).toBe('invalid_filter')
    expect(error.status).toBe(422)
    expect(error.details.errors).toEqual([
      {
        parameter: 'q',
        pointer: '/$and/0/stage/$in/1',
        code: 'invalid_value',
        message: 'is not one of the accepted values',
        allowed: ['new', 'contacted', 'won', 'lost'],
      },
    ])
    expect(refusedFilter({ scroe: 1 }).details.errors?.[0]).toMatchObject({
      code: 'unknown_field',
      did_you_mean: 'score',
    })
    expect(refusedFilter({ score: { $gte1: 1 } }).details.errors?.[0]).toMatchObject({
      code: 'operator_not_allowed',
      did_you_mean: '$gte',
    })
    expect(refusedFilter({ scroe: 1, stage: 7, tags: {} }).details.errors).toHaveLength(3)
  })

  test('refuses every operator outside the list', () => {
    for (const key of [
      '$where',
      '$expr',
      '$function',
      '$regex',
      '$jsonSchema',
      '$text',
      '$not',
      '$comment',
      '$',
    ]) {
      expect(refusedFilter({ [key]: 'x' }).code).toBe('operator_not_allowed')
    }
    for (const key of ['$regex', '$where', '$elemMatch', '$mod', '$type', '$bitsAllSet', '$and']) {
      expect(refusedFilter({ stage: { [key]: 'x' } }).code).toBe('operator_not_allowed')
    }
    expect(refusedFilter({ stage: { $contains: 'x' } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ is_open: { $gt: false } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ stage: { $size: 1 } }).code).toBe('operator_not_allowed')
    expect(refusedFilter({ author: { $gt: 1 } }).code).toBe('operator_not_allowed')
  })

  test('refuses hidden, opaque and inherited names, and says no hidden name', () => {
    for (const name of [
      'secret',
      'workspace_id',
      '__proto__',
      'constructor',
      'prototype',
      'author.__proto__',
    ]) {
      const error = refusedFilter(`{"${name}":"x"}`)
      expect(error.code).toBe('invalid_filter')
      expect(error.details.errors?.[0]?.code).toBe('unknown_field')
      expect(JSON.stringify(error.details.errors?.[0]?.allowed ?? [])).not.toMatch(/secret|workspace_id/)
    }
    expect(refusedFilter('{"score":{"__proto__":{"$gt":1}}}').code).toBe('invalid_filter')
    expect(refusedFilter('{"secre":1}').details.errors?.[0]?.did_you_mean).not.toBe('secret')
    expect(refusedFilter({ raw: 'x' }).details.errors?.[0]?.code).toBe('opaque_field')
    expect(refusedFilter({ 'raw.x': 1 }).details.errors?.[0]?.code).toBe('unknown_field')
    expect(refusedFilter({ 'people.name': 'x' }).details.errors?.[0]?.code).toBe('unknown_field')
  })

  test('refuses values of the wrong type and nested objects', () => {
    const wrong: unknown[] = [
      { stage: { $ne: 1 } },
      { title: { b: { $ne: null } } },
      { author: { handle: 'x' } },
      { stage: {} },
      { score: '1' },
      { score: { $gt: null } },
      { rank: 2 ** 60 },
      { is_open: 'true' },
      { due: '2026-02-30' },
      { tags: [] },
      { tags: { $eq: ['a'] } },
      { tags: [['a']] },
      { tags: { $all: [null] } },
      { tags: { $size: 1.5 } },
      { title: { $contains: '' } },
      { title: { $contains: 'x'.repeat(129) } },
      { title: 'a\0b' },
      { title: '\ud800' },
      { kind: { $not: 'x' } },
      { kind: { $exists: 1 } },
      { author: 'x' },
      { $and: [] },
      { $or: {} },
      { $or: [1] },
    ]
    for (const q of wrong) expect([q, refusedFilter(q).code]).toEqual([q, 'invalid_filter'])
    expect(refusedFilter('{"score":1e999}').code).toBe('invalid_filter')
    expect(refusedFilter({ author: { handle: 'x' } }).message).toContain('author.handle')
  })

  test('is bounded in bytes, depth, comparisons and list length', () => {
    expect(refusedFilter({ title: 'é'.repeat(filterBounds.bytes / 2) }).code).toBe('invalid_filter')
    const deep = (levels: number): unknown => (levels === 1 ? { stage: 'new' } : { $and: [deep(levels - 1)] })
    expect(filter(deep(5))).toBeDefined()
    expect(refusedFilter(deep(6)).details.errors?.[0]?.code).toBe('too_deep')
    expect(refusedFilter({ kind: { $not: { $not: { $not: { $not: { $eq: 'x' } } } } } }).code).toBe(
      'invalid_filter',
    )
    const many = (count: number) => ({ $or: Array.from({ length: count }, () => ({ rank: 1 })) })
    expect(filter(many(50))).toBeDefined()
    expect(refusedFilter(many(51)).code).toBe('invalid_filter')
    expect(refusedFilter({ $and: [many(30), many(30)] }).details.errors?.[0]?.code).toBe('too_many')
    const ranks = (count: number) => ({ rank: Array.from({ length: count }, (_, place) => place) })
    expect(filter(ranks(200))).toBeDefined()
    expect(refusedFilter(ranks(201)).code).toBe('invalid_filter')
  })
})

describe('the other parameters', () => {
  test('unknown ones are 400 with a suggestion, duplicates 422', () => {
    const error = refused('limitt=3')
    expect([error.code, error.status]).toEqual(['unknown_parameter', 400])
    expect(error.details.errors?.[0]).toMatchObject({ parameter: 'limitt', did_you_mean: 'limit' })
    expect(refused('limit=1&limit=2').details.errors?.[0]?.code).toBe('duplicate')
    expect(refused('q[stage]=new').code).toBe('unknown_parameter')
  })

  test('sort takes three sortable fields with a sign, and rows without a value come last', () => {
    expect(list('sort=-score,stage,%2Brank').sort).toEqual([
      { field: 'score', direction: 'desc' },
      { field: 'stage', direction: 'asc' },
      { field: 'rank', direction: 'asc', nulls: 'last' },
    ])
    expect(list('sort=+rank').sort).toEqual([{ field: 'rank', direction: 'asc', nulls: 'last' }])
    const error = refused('sort=-scor')
    expect(error.details.errors?.[0]).toMatchObject({
      parameter: 'sort',
      allowed: Sample.sortable,
      did_you_mean: 'score',
    })
    for (const sort of ['', ',', 'score,', '--score', 'secret', 'raw', 'id', 'score,-score', 'constructor']) {
      expect(refused({ sort }).code).toBe('invalid_parameter')
    }
    expect(refused('sort=score,rank,stage,title').details.errors?.[0]?.code).toBe('too_many')
  })

  test('limit is clamped and announced; what is no positive whole number is 422', () => {
    expect(list('limit=1')).toMatchObject({ limit: 1, limitApplied: false })
    expect(list('limit=1000')).toMatchObject({ limit: 1000, limitApplied: false })
    expect(list('limit=1001')).toMatchObject({ limit: 1000, limitApplied: true })
    expect(list(`limit=${'9'.repeat(400)}`)).toMatchObject({ limit: 1000, limitApplied: true })
    for (const limit of ['0', '-1', '1.5', '', 'x', '1e3', ' 1', '0x10']) {
      expect(refused({ limit }).status).toBe(422)
    }
  })

  test('skip ends at 100,000 and points to cursor', () => {
    expect(list('skip=100000').skip).toBe(100_000)
    expect(refused('skip=100001').message).toContain('cursor')
    for (const skip of ['-1', '', '1.5']) expect(refused({ skip }).status).toBe(422)
  })

  test('fields takes visible fields, count takes 1', () => {
    expect(list('fields=stage,id,stage').fields).toEqual(['stage', 'id'])
    expect(refused('fields=secret').details.errors?.[0]?.allowed).not.toContain('secret')
    for (const fields of ['', 'nope', 'author.handle', '__proto__']) {
      expect(refused({ fields }).code).toBe('invalid_parameter')
    }
    expect([list('').count, list('count=0').count, list('count=1').count]).toEqual([false, false, true])
    for (const text of ['', '2', 'true', '01'])
      expect(refused(`count=${text}`).details.errors).toMatchObject([{ parameter: 'count', code: 'invalid' }])
    expect(refused('count=yes').details.errors?.[0]?.allowed).toEqual(['0', '1'])
  })

  test('a cursor goes round, is bound to its sort, and nothing forged is taken', () => {
    const sort = list('sort=-score,title').sort
    const last = { values: [null, 'ä'], id: 'smp_1' }
    const cursor = encodeCursor(sort, last)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(list({ sort: '-score,title', cursor }).cursor).toEqual(last)
    expect(refused({ sort: '-score', cursor }).message).toContain('another sort')
    expect(refused({ sort: '-score,title', cursor, skip: '1' }).message).toContain('cursor')
    const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const value of [
      'x',
      ['-score,title', ['1', 'a'], 'i'],
      ['-score,title', [1], 'i'],
      ['-score,title', [1, { $gt: '' }], 'i'],
      ['-score,title', [1, 'a'], { $gt: '' }],
      ['-score,title', [1, 'a'], '\0'],
      ['-score,title', '12', 'i'],
      ['-score,title', { 0: 1, 1: 'a', length: 2 }, 'i'],
      ['-score,title', [1, 'a'.repeat(4000)], 'i'],
    ]) {
      expect(refusal(() => decodeCursor(Sample, sort, forge(value))).code).toBe('invalid_parameter')
    }
    expect(refused({ cursor: '' }).code).toBe('invalid_parameter')
    expect(refused({ cursor: `${cursor}=` }).code).toBe('invalid_parameter')
    const made = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    expect(made[0]).toBe('-score,title nulls last')
    const nullsFirst = forge(['-score,title', ...made.slice(1)])
    expect(refused({ sort: '-score,title', cursor: nullsFirst }).message).toContain('another sort')
  })
})

const names = [
  'stage',
  'score',
  'title',
  'tags',
  'author.handle',
  'seen_at',
  'secret',
  'raw',
  'nope',
  '__proto__',
]
const operators = [
  '$and',
  '$or',
  '$nor',
  '$not',
  '$eq',
  '$ne',
  '$gt',
  '$in',
  '$nin',
  '$all',
  '$size',
  '$exists',
]
const keys = fc.oneof(
  fc.constantFrom(...names, ...operators, '$contains', '$where', 'constructor', 'prototype'),
  fc.string(),
)
const filterLike = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('new', 'x', 1, -0, true, null, '2026-11-20T00:00:00Z', 1e300),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(keys, tie('value')), { maxLength: 4 })
    .map(
      (entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${json(value)}`).join(',')}}`,
    ),
}))
const json = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  return typeof value === 'string' && value.startsWith('{') ? value : JSON.stringify(value)
}

const numRuns = process.env.RENOWN_LONG === '1' ? 200_000 : 3_000

function checkTree(where: Where): void {
  if ('of' in where) {
    expect(Object.keys(where)).toEqual(['op', 'of'])
    for (const part of where.op === 'not' ? [where.of] : where.of) checkTree(part)
    return
  }
  const field = fieldAt(Sample, where.field)
  expect(field).toBeDefined()
  expect(field?.hidden || field?.opaque).toBe(false)
  for (const value of 'values' in where ? where.values : [where.value]) {
    expect(value === null || ['string', 'number', 'boolean'].includes(typeof value)).toBe(true)
    expect(Object.is(value, -0)).toBe(false)
  }
}

describe('whatever comes in', () => {
  test('is a Refusal or a tree of known fields and plain values', () => {
    fc.assert(
      fc.property(filterLike.object, (q) => {
        try {
          checkTree(list({ q }).where)
        } catch (error) {
          if (!isRefusal(error)) throw error
        }
      }),
      { numRuns },
    )
  })

  test('is refused or read, whatever the parameters are', () => {
    const name = fc.oneof(fc.constantFrom(...listParameters), fc.string())
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.integer().map(String),
      fc.constantFrom('-score', 'stage,title'),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 4 }), (pairs) => {
        try {
          const request = list(new URLSearchParams(pairs).toString())
          checkTree(request.where)
          expect(request.limit).toBeWithin(1, 1001)
        } catch (error) {
          if (!isRefusal(error)) throw error
        }
      }),
      { numRuns },
    )
  })
})
