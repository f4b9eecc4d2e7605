import { expect, test } from 'bun:test'
import { sortKey, sortText } from '../../../core/query/sort'

test.each([
  ['-title', 'title', 'desc'],
  ['title', 'title', 'asc'],
  ['+title', 'title', 'asc'],
  [' title', 'title', 'asc'],
  ['--title', '-title', 'desc'],
  ['', '', 'asc'],
] as const)('%j sorts by %j, %s', (text, field, direction) => {
  expect(sortKey(text)).toEqual({ field, direction })
})

test('a sort is printed as it is read', () => {
  expect(sortText([])).toBe('')
  expect(sortText(['-a', 'b', '-c.d'].map(sortKey))).toBe('-a,b,-c.d')
})
