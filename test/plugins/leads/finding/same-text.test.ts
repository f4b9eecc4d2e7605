import { describe, expect, test } from 'bun:test'
import { hasSameTitle, hasSameWords, isAlike, isLongText } from '../../../../plugins/leads/finding/same-text'

const words = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `w${from + at}`).join(' ')

describe('two posts', () => {
  test('have the same words whatever their case, their signs and their form', () => {
    expect(hasSameWords({ title: 'Hello, World!', body: 'Again' }, { body: 'hello world — AGAIN' })).toBe(
      true,
    )
    expect(hasSameWords({ body: 'ﬁne １２' }, { body: 'fine 12' })).toBe(true)
    expect(hasSameWords({ body: 'a b' }, { body: 'b a' })).toBe(false)
    expect(hasSameWords({ body: 'a b' }, { body: 'a b b' })).toBe(false)
    expect(hasSameWords({ body: '' }, { title: '!', body: '?' })).toBe(true)
  })

  test.each([
    [4, 10, 6, true],
    [4, 10, 10, true],
    [10, 10, 6, true],
    [10, 10, 5, false],
    [3, 10, 3, false],
    [5, 20, 3, true],
    [5, 20, 2, false],
  ])('of %i and %i words with %i in common are alike: %p', (few, many, common, alike) => {
    const one = { body: words(few) }
    const other = { body: `${words(Math.min(common, few))} ${words(many - Math.min(common, few), 100)}` }
    expect([isAlike(one, other), isAlike(other, one)]).toEqual([alike, alike])
  })

  test('that are short are alike only where they are the same', () => {
    expect(isAlike({ body: 'a b c' }, { body: 'A, b, c' })).toBe(true)
    expect(isAlike({ body: 'a b c' }, { body: 'a b c d' })).toBe(false)
    // A word that is repeated is one word.
    expect(isAlike({ body: 'a b c a b c a b c' }, { body: 'a b c d e' })).toBe(false)
  })

  test('are compared by their texts where both have one, and with their titles where one has none', () => {
    const title = words(8)
    expect(isAlike({ title, body: words(4, 20) }, { title, body: words(4, 40) })).toBe(false)
    expect(isAlike({ title, body: '' }, { title, body: words(4, 40) })).toBe(true)
    expect(isAlike({ body: '' }, { body: words(9) })).toBe(false)
  })

  test('have nearly the same title with four of five words, and three at least', () => {
    const hasTitle = (one: string | undefined, other: string | undefined) =>
      hasSameTitle({ title: one, body: '' }, { title: other, body: '' })
    expect(hasTitle('a b c d e', 'a b c d x y z')).toBe(true)
    expect(hasTitle('a b c d e', 'a b c x y z')).toBe(false)
    expect(hasTitle('a b c', 'c b a d')).toBe(true)
    expect(hasTitle('a b', 'a b')).toBe(false)
    expect(hasTitle(undefined, 'a b c')).toBe(false)
    expect(hasTitle(undefined, undefined)).toBe(false)
  })
})

test('a text is long from sixty words, or a hundred and fifty signs of a script without spaces', () => {
  expect([59, 60].map((count) => isLongText({ body: words(count) }))).toEqual([false, true])
  expect(isLongText({ title: words(30), body: words(30) })).toBe(true)
  expect([149, 150].map((count) => isLongText({ body: '字'.repeat(count) }))).toEqual([false, true])
  expect(isLongText({ title: 'か'.repeat(75), body: 'ไ'.repeat(75) })).toBe(true)
  expect(isLongText({ body: 'a'.repeat(5_000) })).toBe(false)
})
