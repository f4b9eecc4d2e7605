import { expect, test } from 'bun:test'
import { formatCount } from '../../../../core/web/client/format'

test('a count has the singular for one alone, and separators', () => {
  const counts = [0, 1, 2, 12_345].map((number) => formatCount(number, 'review'))
  expect(counts).toEqual(['0 reviews', '1 review', '2 reviews', '12,345 reviews'])
  expect([1, 2].map((number) => formatCount(number, 'agency', 'agencies'))).toEqual([
    '1 agency',
    '2 agencies',
  ])
})
