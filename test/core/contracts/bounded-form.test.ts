import { expect, test } from 'bun:test'
import { formPairsMax, hasTooManyPairs } from '../../../core/contracts/bounded-form'

test('fields of a form are counted before anything is parsed', () => {
  expect(hasTooManyPairs('')).toBe(false)
  expect(hasTooManyPairs('a=1&b=2', 2)).toBe(false)
  expect(hasTooManyPairs('a=1&b=2&c=3', 2)).toBe(true)
  expect(hasTooManyPairs('&'.repeat(formPairsMax - 1))).toBe(false)
  expect(hasTooManyPairs('&'.repeat(formPairsMax))).toBe(true)
})
