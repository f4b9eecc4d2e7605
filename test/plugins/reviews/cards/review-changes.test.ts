import { expect, test } from 'bun:test'
import { rateChange, ratingChange } from '../../../../plugins/reviews/cards/review-changes'
import { countDifference } from '../../../../plugins/reviews/operations/differences'
import { responseRate } from '../../../../plugins/reviews/operations/rates'
import { part } from '../../../support/part'

const notComparable = { text: 'not comparable', tone: 'plain' }
const unchanged = { text: 'no change shown', tone: 'plain' }
/** The numbers of ratings with one to five stars. */
const stars = (...counts: number[]) => counts.map((n, at) => ({ stars: at + 1, n }))

test('a rating changes by hundredths of a star, where chance does not make it', () => {
  const change = (now: ReturnType<typeof stars>, before: ReturnType<typeof stars>, isWhole = true) =>
    ratingChange({ now, before, isWhole })
  const many = stars(5, 5, 10, 30, 50)
  expect<unknown>(change(many, stars(0, 0, 0, 0, 0))).toEqual(notComparable)
  expect<unknown>(change(many, many, false)).toEqual(notComparable)
  expect<unknown>(change(many, stars(5, 5, 11, 30, 49))).toEqual(unchanged)
  // Two reviews more with one star say nothing.
  expect<unknown>(change(stars(2, 0, 0, 0, 3), stars(0, 0, 0, 0, 5))).toEqual(unchanged)
  expect(change(many, stars(50, 30, 10, 5, 5))).toEqual({ text: 'up 2.30 stars', tone: 'good' })
  expect(change(stars(50, 30, 10, 5, 5), many)).toEqual({ text: 'down 2.30 stars', tone: 'bad' })
})

test('a rate changes by points, where both periods are known in whole', () => {
  const change = (now: readonly [number, number], before: readonly [number, number], isWhole = true) => {
    const of = ([k, n]: readonly [number, number]) => ({ response_rate: responseRate.of(k, n) })
    return rateChange(part({ totals: of(now), earlier: of(before), isWhole }))
  }
  expect<unknown>(change([0, 0], [5, 5])).toEqual(notComparable)
  expect<unknown>(change([5, 5], [0, 0])).toEqual(notComparable)
  expect<unknown>(change([50, 50], [0, 50], false)).toEqual(notComparable)
  // Two of three and one of three: a difference of 33 points.
  expect<unknown>(change([2, 3], [1, 3])).toEqual(unchanged)
  expect(change([50, 50], [0, 50])).toEqual({ text: 'up 100 points', tone: 'good' })
  expect(change([0, 50], [50, 50])).toEqual({ text: 'down 100 points', tone: 'bad' })
})

test('a count changes where chance does not explain it', () => {
  expect(countDifference(12, 9).change_significant).toBe(false)
  expect(countDifference(0, 0).change_significant).toBe(false)
  expect(countDifference(60, 20)).toEqual({ difference: 40, change_significant: true })
})
