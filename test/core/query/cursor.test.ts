import { expect, test } from 'bun:test'
import { isRefusal } from 'renown'
import { decodeCursor, encodeCursor } from '../../../core/query/cursor'
import { sortKey, sortText } from '../../../core/query/sort'
import { Sample } from '../../support/sample-entity'

const sort = [sortKey('-score'), sortKey('title')]
const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const refused = (cursor: string) => {
  try {
    return decodeCursor(Sample, sort, cursor)
  } catch (error) {
    if (isRefusal(error)) return `${error.code} ${error.details.errors?.[0]?.parameter}`
    throw error
  }
}

test('a cursor is the sort, the values of its keys and the id of the last row', () => {
  const last = { values: [1.5, null], id: 'smp_1' }
  expect(Buffer.from(encodeCursor(sort, last), 'base64url').toString()).toBe(
    '["-score,title",[1.5,null],"smp_1"]',
  )
  expect(decodeCursor(Sample, sort, encodeCursor(sort, last))).toEqual(last)
})

test('a cursor has at most 4,096 characters', () => {
  const ofLength = (length: number) => {
    for (let count = 2_900; ; count++) {
      const made = text(['-score,title', [1, 'a'.repeat(count)], 'smp_1'])
      if (made.length >= length) return made
    }
  }
  expect(ofLength(4096)).toHaveLength(4096)
  expect(refused(ofLength(4096))).toMatchObject({ id: 'smp_1' })
  expect(refused(ofLength(4097))).toBe('invalid_parameter cursor')
})

test('a forged cursor is refused by the parameter', () => {
  for (const forged of [
    [],
    ['-score,title', [1, 'a']],
    ['-score,title', [1, 'a'], 'smp_1', 1],
    ['score,title', [1, 'a'], 'smp_1'],
    ['-score,title', [1, 'a'], 7],
    ['-score,title', [1, 'a'], 'a\0'],
    ['-score,title', [1], 'smp_1'],
    ['-score,title', [1, 'a', 'b'], 'smp_1'],
    ['-score,title', 'ab', 'smp_1'],
    ['-score,title', ['1', 'a'], 'smp_1'],
    { length: 3 },
    'abc',
    null,
  ])
    expect([forged, refused(text(forged))]).toEqual([forged, 'invalid_parameter cursor'])
  for (const forged of ['', '=', '!!', 'a b', `${text(['-score,title', [1, 'a'], 'smp_1'])}.`, 'e30'])
    expect([forged, refused(forged)]).toEqual([forged, 'invalid_parameter cursor'])
})

test('a value that is no longer on the list of values stays a place to go on from', () => {
  const byStage = [sortKey('stage')]
  const cursor = encodeCursor(byStage, { values: ['gone'], id: 'smp_1' })
  expect(decodeCursor(Sample, byStage, cursor)).toEqual({ values: ['gone'], id: 'smp_1' })
})

test('a sort is read with its sign and printed back', () => {
  for (const [written, field, direction] of [
    ['-score', 'score', 'desc'],
    ['+score', 'score', 'asc'],
    [' score', 'score', 'asc'],
    ['score', 'score', 'asc'],
  ] as const)
    expect(sortKey(written)).toEqual({ field, direction })
  expect(sortText(sort)).toBe('-score,title')
})
