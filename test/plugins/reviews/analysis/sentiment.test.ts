import { describe, expect, test } from 'bun:test'
import { balanceOf, scoreOf, sentimentOf } from '../../../../plugins/reviews/analysis/sentiment'
import type { Words } from '../../../../plugins/reviews/analysis/words'

const weights: Record<string, number> = { good: 1, superb: 2, bad: -1, awful: -2 }
const words = {
  weight: (word: string) => weights[word] ?? 0,
  isNot: (word: string) => word === 'not',
  isBut: (word: string) => word === 'but',
} as unknown as Words
const balance = (text: string) => {
  const { good, bad } = balanceOf(text, words)
  return [good, bad]
}

describe('the words of a review', () => {
  test('are weighed clause by clause, so that praise and complaint stand beside each other', () => {
    expect(balance('good food')).toEqual([1, 0])
    expect(balance('superb good')).toEqual([3, 0])
    expect(balance('awful')).toEqual([0, 2])
    expect(balance('good bad')).toEqual([0, 0])
    for (const parted of [
      'good. bad',
      'good, bad',
      'good; bad',
      'good! bad',
      'good? bad',
      'good: bad',
      'good… bad',
      'good\nbad',
      'good (bad)',
      'good - bad',
      'good — bad',
      'good but bad',
    ])
      expect([parted, balance(parted)]).toEqual([parted, [1, 1]])
    expect(balance('good-bad')).toEqual([0, 0])
    expect(balance('')).toEqual([0, 0])
    expect(balance('superb awful awful')).toEqual([0, 2])
  })

  test('are turned by a negation for three words', () => {
    expect(balance('not good')).toEqual([0, 1])
    expect(balance('not superb')).toEqual([0, 1])
    expect(balance('not bad')).toEqual([0.5, 0])
    expect(balance('not awful')).toEqual([0.5, 0])
    expect(balance('not x x good')).toEqual([0, 1])
    expect(balance('not x x x good')).toEqual([1, 0])
    expect(balance('not x but good')).toEqual([1, 0])
    expect(balance('not not bad')).toEqual([0.5, 0])
  })
})

describe('a feeling', () => {
  const feel = (stars: number | null, good: number, bad: number) => sentimentOf(stars, { good, bad })

  test('without stars follows the words, and is nothing without them', () => {
    expect(feel(null, 0, 0)).toBeNull()
    expect(feel(null, 1, 0)).toBe('positive')
    expect(feel(null, 0, 1)).toBe('negative')
    expect(feel(null, 0.5, 0)).toBe('positive')
    expect(feel(null, 1, 1)).toBe('mixed')
    expect(feel(null, 2, 1)).toBe('mixed')
    expect(feel(null, 1, 2)).toBe('mixed')
    expect(feel(null, 3, 1)).toBe('positive')
    expect(feel(null, 1, 3)).toBe('negative')
    expect(feel(null, 0.5, 1)).toBe('negative')
    expect(feel(null, 1, 0.5)).toBe('positive')
  })

  test('follows the stars, and is mixed where clauses clearly say the opposite', () => {
    expect([feel(5, 0, 0), feel(4, 0, 0), feel(3, 0, 0), feel(2, 0, 0), feel(1, 0, 0)]).toEqual([
      'positive',
      'positive',
      'neutral',
      'negative',
      'negative',
    ])
    expect([feel(3, 1, 1), feel(3, 1, 0), feel(3, 0, 1), feel(3, 0.5, 1), feel(3, 1, 0.5)]).toEqual([
      'mixed',
      'neutral',
      'neutral',
      'neutral',
      'neutral',
    ])
    expect([feel(4, 2, 1), feel(4, 3, 1), feel(4, 0, 0.5), feel(4, 0, 1)]).toEqual([
      'mixed',
      'positive',
      'positive',
      'mixed',
    ])
    expect([feel(2, 1, 2), feel(2, 1, 3), feel(2, 1, 0)]).toEqual(['mixed', 'negative', 'mixed'])
    expect([feel(5, 1, 2), feel(5, 2, 2), feel(5, 0, 1), feel(5, 0, 2)]).toEqual([
      'mixed',
      'positive',
      'positive',
      'mixed',
    ])
    expect([feel(1, 2, 1), feel(1, 2, 2), feel(1, 1, 0), feel(1, 2, 0)]).toEqual([
      'mixed',
      'negative',
      'negative',
      'mixed',
    ])
  })

  test('has a score from −1 to 1, the stars by four fifths', () => {
    const score = (stars: number | null, good = 0, bad = 0) => scoreOf(stars, { good, bad })
    expect([score(5), score(4), score(3), score(2), score(1), score(null)]).toEqual([1, 0.5, 0, -0.5, -1, 0])
    expect([score(null, 1, 0), score(null, 0, 2), score(null, 1, 2)]).toEqual([1, -1, -0.33])
    expect([score(5, 0, 1), score(4, 1, 0), score(1, 3, 1), score(3, 1, 1)]).toEqual([0.6, 0.6, -0.7, 0])
    expect(Object.is(score(3, 1, 1), 0)).toBe(true)
    expect(Object.is(score(3, 0, 0), 0)).toBe(true)
  })
})
