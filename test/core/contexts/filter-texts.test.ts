import { expect, test } from 'bun:test'
import { refuseManyNames, textsInFilter, textsInWhere } from '../../../core/contexts/filter-texts'
import { isRefusal } from '../../../core/contracts/errors'
import { type Where, where } from '../../../core/contracts/where'

const textsOf = (filter: object) => textsInFilter(filter).texts.map(({ field, text }) => [field, text])

test('the texts of a filter are those that are compared as a whole, with their fields', () => {
  expect(textsOf({ a: 'x', b: { $eq: 'y' }, c: { $ne: 'z' }, n: 1, none: null })).toEqual([
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'z'],
  ])
  expect(textsOf({ a: { $in: ['x', 2, 'y'] }, b: { $nin: ['z'] }, c: { $all: ['q'] } })).toEqual([
    ['a', 'x'],
    ['a', 'y'],
    ['b', 'z'],
    ['c', 'q'],
  ])
  expect(textsOf({ a: { $contains: 'x', $startsWith: 'y', $gt: 'z', $lte: 'q' } })).toEqual([])
  const nested = { $and: [{ a: 'x' }, { $or: [{ b: { $not: { $eq: 'y' } } }] }], $nor: [{ c: 'z' }] }
  expect(textsOf(nested)).toEqual([
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'z'],
  ])
  expect(textsOf({ $and: ['x'], $eq: 'y' })).toEqual([])
})

test('ids are put into a copy of the filter', () => {
  const given = { a: 'x', b: { $in: ['y', 'z'] } }
  const { filter, texts } = textsInFilter(given)
  for (const { text, put } of texts) put(`id of ${text}`)
  expect<unknown>(filter).toEqual({ a: 'id of x', b: { $in: ['id of y', 'id of z'] } })
  expect(given).toEqual({ a: 'x', b: { $in: ['y', 'z'] } })
})

test('the texts of a parsed filter are the same', () => {
  const found = (tree: Where) => [...textsInWhere(tree)].map(({ field, text }) => [field, text])
  const tree = where.and(where.eq('a', 'x'), where.or(where.in('b', ['y', 'z']), where.ne('c', 'q')))
  expect(found(tree)).toEqual([
    ['a', 'x'],
    ['b', 'y'],
    ['b', 'z'],
    ['c', 'q'],
  ])
  expect(found(where.eq('a', 1))).toEqual([])
  for (const op of ['contains', 'startsWith', 'gt', 'gte', 'lt', 'lte'] as const)
    expect(found({ op, field: 'a', value: 'x' })).toEqual([])
  expect(found({ op: 'not', of: where.eq('a', 'x') } as Where)).toEqual([['a', 'x']])
})

test('a filter may have ten names', () => {
  expect(() => refuseManyNames(10)).not.toThrow()
  try {
    refuseManyNames(11)
    expect.unreachable()
  } catch (error) {
    if (!isRefusal(error)) throw error
    expect([error.code, error.message]).toEqual([
      'invalid_field',
      '`q` has more than 10 names. Send ids instead.',
    ])
    expect<unknown>(error.details.errors).toEqual([
      { pointer: '/q', code: 'too_long', message: 'accepts at most 10 names' },
    ])
  }
})
