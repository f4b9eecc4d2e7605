import { describe, expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { createDays } from '../../../ingest/parse/days'

const zones = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Europe/London',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
]
const expected = (ts: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ts)

describe('the day of a hit', () => {
  test("is the site's own, through every change of its clock", () => {
    const dayOf = createDays()
    const from = Date.UTC(2012, 0, 1)
    const to = Date.UTC(2030, 0, 1)
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), fc.constantFrom(...zones), (ts, zone) => {
        expect(dayOf(ts, zone)).toBe(expected(ts, zone))
      }),
      { numRuns: 2000 },
    )
  })

  test('changes at the very millisecond, on short and long days too', () => {
    const dayOf = createDays()
    for (const zone of zones) {
      for (let hour = 0; hour < 24 * 366; hour += 7) {
        dayOf(Date.UTC(2026, 0, 1, hour), zone)
      }
    }
    // New York: 23 hours on 8 March 2026, 25 on 1 November.
    const spring = Date.parse('2026-03-08T00:00:00-05:00')
    expect(dayOf(spring - 1, 'America/New_York')).toBe('2026-03-07')
    expect(dayOf(spring, 'America/New_York')).toBe('2026-03-08')
    expect(dayOf(spring + 23 * 3_600_000 - 1, 'America/New_York')).toBe('2026-03-08')
    expect(dayOf(spring + 23 * 3_600_000, 'America/New_York')).toBe('2026-03-09')
    const autumn = Date.parse('2026-11-01T00:00:00-04:00')
    expect(dayOf(autumn + 25 * 3_600_000 - 1, 'America/New_York')).toBe('2026-11-01')
    expect(dayOf(autumn + 25 * 3_600_000, 'America/New_York')).toBe('2026-11-02')
    // Samoa had no 30 December 2011.
    expect(dayOf(Date.parse('2011-12-30T09:59:59Z'), 'Pacific/Apia')).toBe('2011-12-29')
    expect(dayOf(Date.parse('2011-12-30T10:00:00Z'), 'Pacific/Apia')).toBe('2011-12-31')
  })

  test('is looked up once for all hits of a day, for the last 32 days of each zone', () => {
    const dayOf = createDays()
    const formatted = spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
    /** Whether the answer for a moment needed the calendar. */
    const isLookedUp = (ts: number, zone = 'UTC') => {
      const before = formatted.mock.calls.length
      expect(dayOf(ts, zone)).toBe(new Date(ts).toISOString().slice(0, 10))
      return formatted.mock.calls.length > before
    }
    const dayMs = 86_400_000
    const first = Date.UTC(2026, 0, 1)
    try {
      expect(isLookedUp(first + dayMs / 2)).toBe(true)
      for (const at of [0, 1, dayMs - 1]) expect([at, isLookedUp(first + at)]).toEqual([at, false])
      expect([isLookedUp(first, 'Africa/Abidjan'), isLookedUp(first, 'Africa/Abidjan')]).toEqual([
        true,
        false,
      ])
      for (let day = 1; day < 32; day++) expect(isLookedUp(first + day * dayMs)).toBe(true)
      for (let day = 0; day < 32; day++) expect([day, isLookedUp(first + day * dayMs)]).toEqual([day, false])
      expect(isLookedUp(first + 32 * dayMs)).toBe(true)
      expect(isLookedUp(first + dayMs)).toBe(false)
      expect(isLookedUp(first)).toBe(true)
    } finally {
      formatted.mockRestore()
    }
  })

  test('has a year of four digits, however long ago it was', () => {
    expect(createDays()(Date.parse('0045-03-15T12:00:00Z'), 'UTC')).toBe('0045-03-15')
  })

  test('an unknown zone counts as UTC', () => {
    expect(createDays()(Date.parse('2026-11-20T23:59:59Z'), 'Mars/Olympus')).toBe('2026-11-20')
  })
})
