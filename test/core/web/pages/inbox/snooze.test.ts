import { describe, expect, test } from 'bun:test'
import { snoozedUntil } from '../../../../../core/web/pages/inbox/snooze'

const until = (snooze: 'tomorrow' | 'monday', zone: string, now: string) =>
  snoozedUntil(snooze, zone, new Date(now))

describe('snoozing', () => {
  test('ends at 08:00 of the next day in the zone of the workspace', () => {
    expect(until('tomorrow', 'UTC', '2026-11-18T23:59:00Z')).toBe('2026-11-19T08:00:00.000Z')
    expect(until('tomorrow', 'Europe/Berlin', '2026-11-18T23:30:00Z')).toBe('2026-11-20T07:00:00.000Z')
    expect(until('tomorrow', 'America/Los_Angeles', '2026-11-19T05:00:00Z')).toBe('2026-11-19T16:00:00.000Z')
  })

  test('ends at 08:00 where the clocks change in that night', () => {
    expect(until('tomorrow', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toBe('2026-03-29T06:00:00.000Z')
    expect(until('tomorrow', 'Europe/Berlin', '2026-10-24T12:00:00Z')).toBe('2026-10-25T07:00:00.000Z')
    expect(until('tomorrow', 'Australia/Lord_Howe', '2026-10-03T02:00:00Z')).toBe('2026-10-03T21:00:00.000Z')
  })

  test('ends on the next Monday, never today', () => {
    const days = ['16', '17', '18', '19', '20', '21', '22']
    const ends = days.map((day) => until('monday', 'UTC', `2026-11-${day}T09:00:00Z`))
    expect(new Set(ends)).toEqual(new Set(['2026-11-23T08:00:00.000Z']))
    expect(until('monday', 'UTC', '2026-11-23T07:00:00Z')).toBe('2026-11-30T08:00:00.000Z')
  })
})
