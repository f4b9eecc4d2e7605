import { expect, test } from 'bun:test'
import { intervalWords, percent } from '../../../../plugins/visibility/pages/rate-words'

test('a share that rounds to nothing or to all says that it does not reach it', () => {
  expect([0, 0.002, 0.42, 0.998, 1].map(percent)).toEqual(
    ['0', '<1', '42', '>99', '100'].map((text) => `${text}\u00a0%`),
  )
})

test('an interval is rounded outwards, so that it never looks narrower than it is', () => {
  expect(intervalWords([0.374, 0.471])).toBe('37 to 48\u00a0%')
})
