import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../../core/contracts/errors'
import {
  dayIn,
  dayStart,
  daysBetween,
  instantsOf,
  localTime,
  periodOf,
  shiftDay,
} from '../../../core/kit/periods'

const today = '2026-03-15'
const of = (input: { days?: number; date_from?: string; date_to?: string }) =>
  periodOf(input, { today, days: 28 })
const refusal = (input: { days?: number; date_from?: string; date_to?: string }) => {
  try {
    of(input)
    return 'accepted'
  } catch (error) {
    return isRefusal(error) ? error.details.errors?.[0]?.pointer : 'another error'
  }
}

describe('A period', () => {
  test('of days ends today and is compared with as many days before', () => {
    expect(of({ days: 7 })).toEqual({
      period: { date_from: '2026-03-09', date_to: '2026-03-15', days: 7 },
      previous: { date_from: '2026-03-02', date_to: '2026-03-08', days: 7 },
    })
  })
  test('that nobody named has the default length', () => {
    expect(of({}).period).toEqual({ date_from: '2026-02-16', date_to: today, days: 28 })
  })
  test('of two dates holds both ends', () => {
    expect(of({ date_from: '2026-02-27', date_to: '2026-03-01' })).toEqual({
      period: { date_from: '2026-02-27', date_to: '2026-03-01', days: 3 },
      previous: { date_from: '2026-02-24', date_to: '2026-02-26', days: 3 },
    })
  })
  test('is refused by the name of the field that is wrong', () => {
    expect(refusal({ date_from: '2026-01-01' })).toBe('/date_to')
    expect(refusal({ date_to: '2026-01-01' })).toBe('/date_from')
    expect(refusal({ date_from: '2026-01-02', date_to: '2026-01-01' })).toBe('/date_to')
    expect(refusal({ date_from: '2026-01-02', date_to: '2026-03-16' })).toBe('/date_to')
    expect(refusal({ date_from: '2025-01-02', date_to: '2026-01-03' })).toBe('/date_from')
    expect(refusal({ date_from: '0000-01-01', date_to: '0000-01-31' })).toBe('/date_from')
    expect(refusal({ days: 3, date_from: '2026-01-01', date_to: '2026-01-02' })).toBe('/days')
  })
})

describe('A day', () => {
  test('is that of the zone, on both sides of midnight and across the date line', () => {
    const at = new Date('2026-01-01T00:30:00.000Z')
    expect(dayIn('UTC', at)).toBe('2026-01-01')
    expect(dayIn('America/Los_Angeles', at)).toBe('2025-12-31')
    expect(dayIn('Pacific/Kiritimati', new Date('2025-12-31T10:00:00.000Z'))).toBe('2026-01-01')
  })
  test('moves over months, leap days and changes of clock', () => {
    expect(shiftDay('2028-02-28', 1)).toBe('2028-02-29')
    expect(shiftDay('2026-01-01', -1)).toBe('2025-12-31')
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2)
  })
})

describe('the first instant of a day', () => {
  test.each([
    ['UTC', '2026-03-15', '2026-03-15T00:00:00.000Z'],
    ['Asia/Tokyo', '2026-03-15', '2026-03-14T15:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-15', '2026-03-14T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-03-15', '2026-03-14T10:00:00.000Z'],
    ['Pacific/Niue', '2026-03-15', '2026-03-15T11:00:00.000Z'],
    // Clocks go forward at midnight: the day begins at one.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    // A day that never was begins where the next one does.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ])('in %s, %s: %s', (zone, day, instant) => {
    expect(dayStart(zone, day)).toBe(instant)
  })

  test('is on that day, and the millisecond before it is not', () => {
    for (const zone of ['Europe/Madrid', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Tehran']) {
      for (let n = 0; n < 366; n += 7) {
        const day = shiftDay('2024-01-01', n)
        const start = Date.parse(dayStart(zone, day))
        expect([dayIn(zone, new Date(start)), dayIn(zone, new Date(start - 1))]).toEqual([
          day,
          shiftDay(day, -1),
        ])
      }
    }
  })

  test('bounds a period at both ends', () => {
    const period = { date_from: '2026-03-01', date_to: '2026-03-02' }
    expect(instantsOf(period, 'Asia/Tokyo')).toEqual({
      from: '2026-02-28T15:00:00.000Z',
      before: '2026-03-02T15:00:00.000Z',
    })
  })
})

test.each([
  ['Pacific/Auckland', '2026-03-15T11:30:00.000Z', '2026-03-16', 30],
  ['America/New_York', '2026-03-15T03:30:00.000Z', '2026-03-14', 1410],
  // The clocks went forward in this night.
  ['Europe/Berlin', '2026-03-29T01:30:00.000Z', '2026-03-29', 210],
  ['UTC', '2026-03-15T00:00:00.000Z', '2026-03-15', 0],
])('the clock of %s at %s shows its day and minute', (timezone, at, day, minute) => {
  expect(localTime(timezone, new Date(at))).toEqual({ day, minute })
})
