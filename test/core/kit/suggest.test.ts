import { expect, test } from 'bun:test'
import { nearest } from '../../../core/kit/suggest'

test('a mistyped word finds the word that was meant, another word finds none', () => {
  const words = ['stage', 'score', 'created_date', 'is_archived', 'id']
  expect(nearest('stag', words)).toBe('stage')
  expect(nearest('STAGE', words)).toBe('stage')
  expect(nearest('satge', words)).toBe('stage')
  expect(nearest('scores', words)).toBe('score')
  expect(nearest('createdDate', words)).toBe('created_date')
  expect(nearest('archived', words)).toBe('is_archived')
  expect(nearest('temperature', words)).toBeUndefined()
  expect(nearest('xyz', words)).toBeUndefined()
  expect(nearest('', [])).toBeUndefined()
  expect([64, 65].map((length) => nearest('a'.repeat(length), ['a'.repeat(64)]))).toEqual([
    'a'.repeat(64),
    undefined,
  ])
  expect(nearest('stage'.repeat(20), ['stage'.repeat(20)])).toBeUndefined()
})

test('the distance counts every letter, also those that only one word has', () => {
  expect(nearest('x', ['yz', 'xa'])).toBe('xa')
  expect(nearest('ab', ['cdb', 'abe'])).toBe('abe')
  expect(nearest('abc', ['xyzab', 'abcde'])).toBe('abcde')
})

test('of two that are as near the first is taken', () => {
  expect(nearest('aa', ['ab', 'ac'])).toBe('ab')
})
