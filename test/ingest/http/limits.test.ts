import { expect, test } from 'bun:test'
import { createBuckets } from '../../../ingest/http/limits'

test('a bucket lends once, says how long to wait, and fills with time; others are not touched', () => {
  let at = 0
  const buckets = createBuckets(100, 1_000, () => new Date(at))
  expect(buckets.wait('a')).toBe(0)
  buckets.charge('a', 1_500)
  expect(buckets.wait('a')).toBe(6)
  expect(buckets.wait('b')).toBe(0)
  at += 6_000
  expect(buckets.wait('a')).toBe(0)
  at += 3_600_000
  expect(buckets.wait('a')).toBe(0)
  buckets.charge('a', 1_000)
  expect(buckets.wait('a')).toBe(1)
  at -= 7_200_000
  expect(buckets.wait('a')).toBe(1)
})

test('a bucket fills by the second, to the millisecond', () => {
  let at = 0
  const buckets = createBuckets(1, 10, () => new Date(at))
  expect(buckets.wait('a')).toBe(0)
  buckets.charge('a', 10_000)
  expect(buckets.wait('a')).toBe(9_991)
  at += 9_990_000
  expect(buckets.wait('a')).toBe(1)
  at += 1_000
  expect(buckets.wait('a')).toBe(0)
  buckets.charge('a', 1)
  at += 999
  expect(buckets.wait('a')).toBe(1)
})
