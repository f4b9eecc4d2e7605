import { describe, expect, test } from 'bun:test'
import type { Where } from 'renown'
import { toMongo } from '../../../core/query/to-mongo'
import { Sample } from '../../support/sample-entity'

/** Without the mark of trust, which is a symbol. */
const filter = (where: Where) => structuredClone(toMongo(where, Sample))

describe('the MongoDB filter', () => {
  test('is fresh, with dates for instants and _id for id', () => {
    const at = '2026-11-20T00:00:00.000Z'
    expect(filter({ op: 'gte', field: 'seen_at', value: at })).toEqual({ seen_at: { $gte: new Date(at) } })
    expect(filter({ op: 'in', field: 'author.at', values: [at, null] })).toEqual({
      'author.at': { $in: [new Date(at), null] },
    })
    expect(filter({ op: 'eq', field: 'id', value: 'x' })).toEqual({ _id: { $eq: 'x' } })
    expect(filter({ op: 'eq', field: 'title', value: at })).toEqual({ title: { $eq: at } })
  })

  test('never holds a caller’s text as a name or an operator', () => {
    expect(filter({ op: 'eq', field: 'title', value: '$where' })).toEqual({ title: { $eq: '$where' } })
    expect(filter({ op: 'contains', field: 'title', value: '$1.*' })).toEqual({
      title: { $regex: '\\$1\\.\\*' },
    })
    expect(() => filter({ op: 'eq', field: '$where', value: 1 })).toThrow('no field')
    expect(() => filter({ op: 'eq', field: '__proto__', value: 1 })).toThrow('no field')
  })

  test('joins, negates and matches nothing or everything', () => {
    const one: Where = { op: 'eq', field: 'rank', value: 1 }
    expect(filter({ op: 'and', of: [one, one] })).toEqual({
      $and: [{ rank: { $eq: 1 } }, { rank: { $eq: 1 } }],
    })
    const two: Where = { op: 'eq', field: 'stage', value: 'new' }
    expect(filter({ op: 'and', of: [one, { op: 'and', of: [two] }] })).toEqual({
      rank: { $eq: 1 },
      stage: { $eq: 'new' },
    })
    const either: Where = { op: 'or', of: [one, two] }
    expect(filter({ op: 'and', of: [either, either] })).toHaveProperty('$and.1.$or')
    expect(filter({ op: 'not', of: one })).toEqual({ $nor: [{ rank: { $eq: 1 } }] })
    expect(filter({ op: 'nor', of: [one] })).toEqual({ $nor: [{ rank: { $eq: 1 } }] })
    expect(filter({ op: 'and', of: [] })).toEqual({})
    expect(filter({ op: 'or', of: [] })).toEqual({ _id: { $in: [] } })
  })
})

/** A filter and what MongoDB is asked, as JSON. */
const cases: readonly (readonly [Where, string])[] = [
  [{ op: 'eq', field: 'rank', value: 3 }, '{"rank":{"$eq":3}}'],
  [{ op: 'eq', field: 'rank', value: null }, '{"rank":{"$eq":null}}'],
  [{ op: 'eq', field: 'tags', value: 'a' }, '{"tags":{"$eq":"a"}}'],
  [{ op: 'eq', field: 'tags', value: null }, '{"tags":{"$eq":null}}'],
  [
    { op: 'eq', field: 'seen_at', value: '2026-11-20T00:00:00.000Z' },
    '{"seen_at":{"$eq":"2026-11-20T00:00:00.000Z"}}',
  ],
  [{ op: 'ne', field: 'rank', value: 3 }, '{"rank":{"$ne":3}}'],
  [{ op: 'ne', field: 'rank', value: null }, '{"rank":{"$ne":null}}'],
  [{ op: 'ne', field: 'tags', value: 'a' }, '{"tags":{"$ne":"a"}}'],
  [{ op: 'ne', field: 'tags', value: null }, '{"tags":{"$ne":null}}'],
  [
    { op: 'ne', field: 'seen_at', value: '2026-11-20T00:00:00.000Z' },
    '{"seen_at":{"$ne":"2026-11-20T00:00:00.000Z"}}',
  ],
  [{ op: 'gt', field: 'rank', value: 3 }, '{"rank":{"$gt":3}}'],
  [{ op: 'gt', field: 'rank', value: null }, '{"_id":{"$in":[]}}'],
  [{ op: 'gt', field: 'tags', value: 'a' }, '{"tags":{"$gt":"a"}}'],
  [{ op: 'gt', field: 'tags', value: null }, '{"_id":{"$in":[]}}'],
  [
    { op: 'gt', field: 'seen_at', value: '2026-11-20T00:00:00.000Z' },
    '{"seen_at":{"$gt":"2026-11-20T00:00:00.000Z"}}',
  ],
  [{ op: 'gte', field: 'rank', value: 3 }, '{"rank":{"$gte":3}}'],
  [{ op: 'gte', field: 'rank', value: null }, '{"_id":{"$in":[]}}'],
  [{ op: 'gte', field: 'tags', value: 'a' }, '{"tags":{"$gte":"a"}}'],
  [{ op: 'gte', field: 'tags', value: null }, '{"_id":{"$in":[]}}'],
  [
    { op: 'gte', field: 'seen_at', value: '2026-11-20T00:00:00.000Z' },
    '{"seen_at":{"$gte":"2026-11-20T00:00:00.000Z"}}',
  ],
  [{ op: 'lt', field: 'rank', value: 3 }, '{"rank":{"$lt":3}}'],
  [{ op: 'lt', field: 'rank', value: null }, '{"_id":{"$in":[]}}'],
  [{ op: 'lt', field: 'tags', value: 'a' }, '{"tags":{"$lt":"a"}}'],
  [{ op: 'lt', field: 'tags', value: null }, '{"_id":{"$in":[]}}'],
  [
    { op: 'lt', field: 'seen_at', value: '2026-11-20T00:00:00.000Z' },
    '{"seen_at":{"$lt":"2026-11-20T00:00:00.000Z"}}',
  ],
  [{ op: 'lte', field: 'rank', value: 3 }, '{"rank":{"$lte":3}}'],
  [{ op: 'lte', field: 'rank', value: null }, '{"_id":{"$in":[]}}'],
  [{ op: 'lte', field: 'tags', value: 'a' }, '{"tags":{"$lte":"a"}}'],
  [{ op: 'lte', field: 'tags', value: null }, '{"_id":{"$in":[]}}'],
  [
    { op: 'lte', field: 'seen_at', value: '2026-11-20T00:00:00.000Z' },
    '{"seen_at":{"$lte":"2026-11-20T00:00:00.000Z"}}',
  ],
  [{ op: 'in', field: 'rank', values: [1, 2] }, '{"rank":{"$in":[1,2]}}'],
  [{ op: 'in', field: 'rank', values: [1, null] }, '{"rank":{"$in":[1,null]}}'],
  [{ op: 'in', field: 'rank', values: [null] }, '{"rank":{"$in":[null]}}'],
  [{ op: 'in', field: 'rank', values: [] }, '{"rank":{"$in":[]}}'],
  [{ op: 'in', field: 'tags', values: ['a', 'b'] }, '{"tags":{"$in":["a","b"]}}'],
  [{ op: 'in', field: 'tags', values: ['a', null] }, '{"tags":{"$in":["a",null]}}'],
  [{ op: 'in', field: 'tags', values: [] }, '{"tags":{"$in":[]}}'],
  [{ op: 'in', field: 'tags', values: [null] }, '{"tags":{"$in":[null]}}'],
  [{ op: 'nin', field: 'rank', values: [1, 2] }, '{"rank":{"$nin":[1,2]}}'],
  [{ op: 'nin', field: 'rank', values: [1, null] }, '{"rank":{"$nin":[1,null]}}'],
  [{ op: 'nin', field: 'rank', values: [null] }, '{"rank":{"$nin":[null]}}'],
  [{ op: 'nin', field: 'rank', values: [] }, '{"rank":{"$nin":[]}}'],
  [{ op: 'nin', field: 'tags', values: ['a', 'b'] }, '{"tags":{"$nin":["a","b"]}}'],
  [{ op: 'nin', field: 'tags', values: ['a', null] }, '{"tags":{"$nin":["a",null]}}'],
  [{ op: 'nin', field: 'tags', values: [] }, '{"tags":{"$nin":[]}}'],
  [{ op: 'nin', field: 'tags', values: [null] }, '{"tags":{"$nin":[null]}}'],
  [{ op: 'all', field: 'rank', values: [1, 2] }, '{"$and":[{"rank":{"$eq":1}},{"rank":{"$eq":2}}]}'],
  [{ op: 'all', field: 'rank', values: [1, null] }, '{"$and":[{"rank":{"$eq":1}},{"rank":{"$eq":null}}]}'],
  [{ op: 'all', field: 'rank', values: [null] }, '{"$and":[{"rank":{"$eq":null}}]}'],
  [{ op: 'all', field: 'rank', values: [] }, '{}'],
  [{ op: 'all', field: 'tags', values: ['a', 'b'] }, '{"$and":[{"tags":{"$eq":"a"}},{"tags":{"$eq":"b"}}]}'],
  [
    { op: 'all', field: 'tags', values: ['a', null] },
    '{"$and":[{"tags":{"$eq":"a"}},{"tags":{"$eq":null}}]}',
  ],
  [{ op: 'all', field: 'tags', values: [] }, '{}'],
  [{ op: 'all', field: 'tags', values: [null] }, '{"$and":[{"tags":{"$eq":null}}]}'],
  [{ op: 'exists', field: 'rank', value: true }, '{"rank":{"$ne":null}}'],
  [{ op: 'exists', field: 'rank', value: false }, '{"rank":{"$eq":null}}'],
  [{ op: 'exists', field: 'tags', value: true }, '{"tags":{"$type":"array"}}'],
  [{ op: 'exists', field: 'tags', value: false }, '{"$nor":[{"tags":{"$type":"array"}}]}'],
  [{ op: 'exists', field: 'author', value: true }, '{"author":{"$ne":null}}'],
  [{ op: 'exists', field: 'author', value: false }, '{"author":{"$eq":null}}'],
  [{ op: 'exists', field: 'stage', value: true }, '{"stage":{"$ne":null}}'],
  [{ op: 'exists', field: 'stage', value: false }, '{"stage":{"$eq":null}}'],
  [{ op: 'exists', field: 'author.handle', value: true }, '{"author.handle":{"$ne":null}}'],
  [{ op: 'exists', field: 'author.handle', value: false }, '{"author.handle":{"$eq":null}}'],
  [{ op: 'size', field: 'rank', value: 2 }, '{"rank":{"$size":2}}'],
  [{ op: 'size', field: 'tags', value: 2 }, '{"tags":{"$size":2}}'],
  [{ op: 'contains', field: 'title', value: 'a.1' }, '{"title":{"$regex":"[aA]\\\\.1"}}'],
  [{ op: 'contains', field: 'tags', value: 'a.1' }, '{"tags":{"$regex":"[aA]\\\\.1"}}'],
  [{ op: 'startsWith', field: 'title', value: 'a.1' }, '{"title":{"$regex":"^[aA]\\\\.1"}}'],
  [{ op: 'startsWith', field: 'tags', value: 'a.1' }, '{"tags":{"$regex":"^[aA]\\\\.1"}}'],
  [{ op: 'and', of: [] }, '{}'],
  [{ op: 'or', of: [] }, '{"_id":{"$in":[]}}'],
  [{ op: 'nor', of: [] }, '{}'],
  [{ op: 'and', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, '{"stage":{"$eq":"new"}}'],
  [
    {
      op: 'and',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '{"stage":{"$eq":"new"},"rank":{"$gt":2}}',
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
    '{"stage":{"$eq":"new"},"$or":[{"stage":{"$eq":"new"}},{"rank":{"$gt":2}}]}',
  ],
  [{ op: 'or', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, '{"stage":{"$eq":"new"}}'],
  [
    {
      op: 'or',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '{"$or":[{"stage":{"$eq":"new"}},{"rank":{"$gt":2}}]}',
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
    '{"$or":[{"stage":{"$eq":"new"}},{"$or":[{"stage":{"$eq":"new"}},{"rank":{"$gt":2}}]}]}',
  ],
  [{ op: 'nor', of: [{ op: 'eq', field: 'stage', value: 'new' }] }, '{"$nor":[{"stage":{"$eq":"new"}}]}'],
  [
    {
      op: 'nor',
      of: [
        { op: 'eq', field: 'stage', value: 'new' },
        { op: 'gt', field: 'rank', value: 2 },
      ],
    },
    '{"$nor":[{"stage":{"$eq":"new"}},{"rank":{"$gt":2}}]}',
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
    '{"$nor":[{"stage":{"$eq":"new"}},{"$or":[{"stage":{"$eq":"new"}},{"rank":{"$gt":2}}]}]}',
  ],
  [{ op: 'not', of: { op: 'eq', field: 'stage', value: 'new' } }, '{"$nor":[{"stage":{"$eq":"new"}}]}'],
]

test('the filter of every operator', () => {
  for (const [where, expected] of cases)
    expect([where, JSON.stringify(filter(where))]).toEqual([where, expected])
})

test('instants are stored as dates, also in lists of instants; other texts and kinds stay', () => {
  const at = '2026-11-20T00:00:00.000Z'
  expect(filter({ op: 'nin', field: 'seen_at', values: [at] })).toEqual({ seen_at: { $nin: [new Date(at)] } })
  expect(filter({ op: 'all', field: 'seen_at', values: [at] })).toEqual({
    $and: [{ seen_at: { $eq: new Date(at) } }],
  })
  expect(filter({ op: 'in', field: 'tags', values: [at] })).toEqual({ tags: { $in: [at] } })
  expect(filter({ op: 'eq', field: 'seen_at', value: null })).toEqual({ seen_at: { $eq: null } })
  expect(filter({ op: 'eq', field: 'kind', value: at })).toEqual({ kind: { $eq: at } })
})
