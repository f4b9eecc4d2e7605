import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { defineRate } from '../../../../core/kit/statistics/rates'
import { differs, wilson } from '../../../../core/kit/statistics/wilson'

const rate = defineRate('sample.rate@1', 'A sample')

describe('The Wilson interval', () => {
  // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i agrees with the published one', (k, n, low, high) => {
    const [l, h] = wilson(k, n) ?? [-1, -1]
    expect(l).toBeCloseTo(low, 4)
    expect(h).toBeCloseTo(high, 4)
  })

  test('of nothing is none', () => {
    expect(wilson(0, 0)).toBeNull()
  })

  test('holds the share and stays within 0 and 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const k = Math.round(n * share)
          const [low, high] = wilson(k, n) ?? [1, 0]
          expect(low).toBeGreaterThanOrEqual(0)
          expect(high).toBeLessThanOrEqual(1)
          expect(low).toBeLessThanOrEqual(k / n + 1e-6)
          expect(high).toBeGreaterThanOrEqual(k / n - 1e-6)
        },
      ),
    )
  })
})

test('a rate carries k, n, interval and definition, and has no value where n is 0', () => {
  const share = defineRate('demo.share@1', 'Some among all')
  expect(share.of(1, 4)).toEqual({
    definition: 'demo.share@1',
    k: 1,
    n: 4,
    rate: 0.25,
    ci95: [0.045587, 0.699358],
  })
  expect(share.of(0, 0)).toMatchObject({ rate: null, ci95: null })
  expect(v.is(share.schema, share.of(3, 7))).toBe(true)
})

describe('Two shares', () => {
  // Newcombe (1998), Statistics in Medicine 17, 873, table II, method 10: whether the interval leaves 0 out.
  test.each([
    [56, 70, 48, 80, true],
    [9, 10, 3, 10, true],
    [6, 7, 2, 7, true],
    [5, 56, 0, 29, false],
    [0, 10, 0, 20, false],
    [10, 10, 0, 20, true],
  ])('%i/%i and %i/%i differ: %p', (k, n, l, m, wanted) => {
    const one = rate.of(k, n)
    const other = rate.of(l, m)
    expect(differs(one, other)).toBe(wanted)
    expect(differs(other, one)).toBe(wanted)
  })

  test('of which one is of nothing cannot be compared', () => {
    expect(differs(rate.of(0, 0), rate.of(1, 2))).toBeNull()
  })
})
