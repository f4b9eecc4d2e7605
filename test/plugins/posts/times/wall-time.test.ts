import { describe, expect, test } from 'bun:test'
import { instantOf } from '../../../../plugins/posts/times/wall-time'

const berlin = (wall_time: string, occurrence?: 'earlier' | 'later') =>
  instantOf({ wall_time, timezone: 'Europe/Berlin', occurrence })

describe('a local time', () => {
  test('that the clocks skip becomes the time as much later, and the person is told', () => {
    expect(berlin('2026-03-29T02:30')).toEqual({
      instant: '2026-03-29T01:30:00.000Z',
      notice:
        '02:30 does not exist on 2026-03-29 in Europe/Berlin, because the clocks go forward. The post is scheduled for 03:30.',
    })
    // The same where the person chose an occurrence that does not exist.
    expect(berlin('2026-03-29T02:30', 'earlier').instant).toBe('2026-03-29T01:30:00.000Z')
  })

  test('that occurs twice is the first one, unless the person chose the second', () => {
    const first = berlin('2026-10-25T02:30')
    expect(first.instant).toBe('2026-10-25T00:30:00.000Z')
    expect(first.notice).toContain('occurs twice on 2026-10-25')
    expect(first.notice).toContain('the first one')
    expect(berlin('2026-10-25T02:30', 'earlier')).toEqual(first)
    const second = berlin('2026-10-25T02:30', 'later')
    expect(second.instant).toBe('2026-10-25T01:30:00.000Z')
    expect(second.notice).toContain('the second one')
  })

  test.each([
    ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ])('beside a change of the clocks needs no notice: %s', (wall, instant) => {
    expect(berlin(wall)).toEqual({ instant })
  })

  test('follows changes of half an hour, and days that a zone skips', () => {
    const lordHowe = instantOf({ wall_time: '2026-10-04T02:15', timezone: 'Australia/Lord_Howe' })
    expect(lordHowe.instant).toBe('2026-10-03T15:45:00.000Z')
    expect(lordHowe.notice).toContain('scheduled for 02:45')
    const apia = instantOf({ wall_time: '2011-12-30T12:00', timezone: 'Pacific/Apia' })
    expect(apia.notice).toContain('does not exist')
  })

  test.each([
    '2026-02-30T10:00',
    '2026-12-01 09:00',
    '2026-12-01T09:00Z',
    '2026-12-01T24:00',
    '',
    'tomorrow',
  ])('that cannot be read is refused with the field: %p', (wall_time) => {
    expect(() => instantOf({ wall_time, timezone: 'UTC' })).toThrow(
      expect.objectContaining({ code: 'invalid_field' }),
    )
  })
})

test('refuses a year that cannot be stored everywhere, and names the time', () => {
  const timezone = 'America/Los_Angeles'
  expect(() => instantOf({ wall_time: '9999-12-31T23:00', timezone })).toThrow('before the year 2200')
  expect(instantOf({ wall_time: '2199-12-31T23:00', timezone }).instant).toBe('2200-01-01T07:00:00.000Z')
})
