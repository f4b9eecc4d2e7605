import { expect, test } from 'bun:test'
import { startCost } from '../../../ingest/http/cost'
import { createBuckets } from '../../../ingest/http/limits'
import { problem } from '../../../ingest/http/problem'

const refused = problem('malformed_body', 'No.')

/** The costs that a bucket was charged. */
function charged(use: (cost: ReturnType<typeof startCost>) => void): number[] {
  const amounts: number[] = []
  use(startCost({ wait: () => 0, charge: (_, amount) => void amounts.push(amount) }, 'site'))
  return amounts
}

test('a refused body pays all that it took, and a quarter of a millisecond at least', () => {
  const one = charged((cost) => {
    cost.add(3)
    cost.add(undefined)
    cost.add(4.5)
    expect(cost.refused(refused)).toBe(refused)
  })
  expect(one).toEqual([7.5])
  expect(charged((cost) => void cost.refused(refused))).toEqual([0.25])
})

test('an accepted body pays only what it took beyond its lines and their characters', () => {
  const paid = (ms: number, lines: number, characters: number) =>
    charged((cost) => {
      cost.add(ms)
      cost.accepted(lines, characters)
    })
  expect(paid(0, 0, 0)).toEqual([])
  expect(paid(100, 5_000, 0)).toEqual([])
  expect(paid(101, 5_000, 0)).toEqual([1])
  expect(paid(120, 5_000, 1_000_000)).toEqual([])
  // One line of many characters is no reason to take long.
  expect(paid(10, 1, 60_000_000)[0]).toBeCloseTo(10 - 0.02 - 0.163_84, 6)
  expect(paid(10, 0, 60_000_000)).toEqual([10])
})

test('a rate of 0 turns the limit off', () => {
  const bucket = createBuckets(0, 500, () => new Date(0))
  bucket.charge('a', 1e9)
  expect(bucket.wait('a')).toBe(0)
})
