import { expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs } from 'renown'
import { attemptsMax, breakMs, retryAfterMs, retryMs } from '../../../../plugins/webhooks/delivery/retry'

test('the waits are those that docs/agents/webhooks.md names, about three days together', () => {
  const waits = Array.from({ length: attemptsMax - 1 }, (_, n) => retryMs(n + 1, 0.5) ?? 0)
  expect(waits).toEqual([
    5_000,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
  ])
  expect(retryMs(attemptsMax, 0.5)).toBeNull()
})

test('a wait varies by a tenth, so that many messages do not return at once', () => {
  expect([retryMs(1, 0), retryMs(1, 1)]).toEqual([4_500, 5_500])
})

test('a receiver can ask for a longer wait, up to a day, and not for a shorter one', () => {
  expect(retryMs(1, 0.5, hourMs)).toBe(hourMs)
  expect(retryMs(4, 0.5, 1_000)).toBe(2 * hourMs)
  expect(retryMs(1, 0.5, 900 * dayMs)).toBe(dayMs)
})

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Sat, 20 Jun 2026 10:05:00 GMT', 5 * minuteMs],
  ['Sat, 20 Jun 2026 09:00:00 GMT', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['soon', undefined],
  ['1'.repeat(50), undefined],
  [null, undefined],
])('Retry-After %p asks for %p', (header, waitMs) => {
  expect(retryAfterMs(header, new Date('2026-06-20T10:00:00.000Z'))).toBe(waitMs)
})

test('429, 502, 504 and Retry-After give a receiver a break of at least a minute', () => {
  expect([429, 502, 504].map((status) => breakMs(status))).toEqual([minuteMs, minuteMs, minuteMs])
  expect([400, 500, 503].map((status) => breakMs(status))).toEqual([0, 0, 0])
  expect([breakMs(503, 5_000), breakMs(503, 2 * hourMs), breakMs(429, 900 * dayMs)]).toEqual([
    minuteMs,
    2 * hourMs,
    dayMs,
  ])
})
