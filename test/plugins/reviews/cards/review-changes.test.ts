import { expect, test } from 'bun:test'
import { rateChange, ratingChange } from '../../../../plugins/reviews/cards/review-changes'
import { part } from '../../../support/part'

const notComparable = { text: 'not comparable', tone: 'plain' }
const unchanged = { text: 'no change', tone: 'plain' }

test('a rating changes by hundredths of a star', () => {
  expect<unknown>(ratingChange(null)).toEqual(notComparable)
  for (const none of [0, 0.004, -0.004]) expect<unknown>(ratingChange(none)).toEqual(unchanged)
  expect(ratingChange(0.006)).toEqual({ text: '▲ 0.01', tone: 'good' })
  expect(ratingChange(-1.5)).toEqual({ text: '▼ 1.50', tone: 'bad' })
})

test('a rate changes by points, where both periods are known in whole', () => {
  const change = (now: number | null, before: number | null, isWhole = true) => {
    const of = (rate: number | null) => ({ response_rate: { rate } })
    return rateChange(part({ totals: of(now), earlier: of(before), isWhole }))
  }
  for (const [now, before, isWhole] of [
    [null, 1, true],
    [1, null, true],
    [1, 0, false],
  ] as const)
    expect<unknown>(change(now, before, isWhole)).toEqual(notComparable)
  expect<unknown>(change(0.5, 0.504)).toEqual(unchanged)
  expect(change(1, 0)).toEqual({ text: '▲ 100 points', tone: 'good' })
  expect(change(0, 1)).toEqual({ text: '▼ 100 points', tone: 'bad' })
  expect(change(0.51, 0.5)).toEqual({ text: '▲ 1 point', tone: 'good' })
  expect(change(0.5, 0.51)).toEqual({ text: '▼ 1 point', tone: 'bad' })
  expect(change(0.52, 0.5)).toEqual({ text: '▲ 2 points', tone: 'good' })
})
