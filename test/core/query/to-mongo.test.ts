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
