import { expect, test } from 'bun:test'
import { dueAt } from '../../../../../core/tenancy/news/mail/due-at'

test.each([
  // frequency, zone, now, next mail
  ['at_once', 'UTC', '2026-03-15T12:00:00Z', '2026-03-15T12:01:00.000Z'],
  ['daily', 'UTC', '2026-03-15T07:59:59Z', '2026-03-15T08:00:00.000Z'],
  ['daily', 'UTC', '2026-03-15T08:00:00Z', '2026-03-16T08:00:00.000Z'],
  ['daily', 'Europe/Madrid', '2026-03-28T12:00:00Z', '2026-03-29T06:00:00.000Z'], // clocks go forward that night
  ['daily', 'Europe/Madrid', '2026-10-24T12:00:00Z', '2026-10-25T07:00:00.000Z'], // and back
  ['daily', 'Pacific/Apia', '2026-03-15T12:00:00Z', '2026-03-15T19:00:00.000Z'],
  ['weekly', 'UTC', '2026-03-15T12:00:00Z', '2026-03-16T08:00:00.000Z'], // a Sunday
  ['weekly', 'UTC', '2026-03-16T08:00:00Z', '2026-03-23T08:00:00.000Z'], // Monday at 08:00
  ['weekly', 'America/New_York', '2026-10-27T12:00:00Z', '2026-11-02T13:00:00.000Z'],
  ['off', 'UTC', '2026-03-15T12:00:00Z', undefined],
] as const)('%s in %s at %s: %s', (frequency, zone, now, expected) => {
  expect(dueAt(frequency, zone, new Date(now))).toBe(expected)
})
