import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  dayOf,
  daysBetween,
  hoursIn,
  orderedHours,
  timeIn,
  timeOf,
} from '../../../../plugins/enrichment/listing/hours'

test.each([
  ['9:00', '09:00'],
  ['09.30', '09:30'],
  ['9h15', '09:15'],
  ['17:00:00', '17:00'],
  ['17:00:00+01:00', '17:00'],
  ['9am', '09:00'],
  ['12 AM', '00:00'],
  ['12:30pm', '12:30'],
  ['5 PM', '17:00'],
  ['24:00', '24:00'],
  ['24:01', null],
  ['25:00', null],
  ['9:60', null],
  ['noon', null],
  ['', null],
])('the time %s is %p', (text, time) => {
  expect(timeIn(text)).toBe(time)
})

test.each([
  ['Mo', 'monday'],
  ['https://schema.org/Tuesday', 'tuesday'],
  ['WEDNESDAY', 'wednesday'],
  ['thurs', 'thursday'],
  ['su', 'sunday'],
  ['s', null],
  ['PublicHolidays', null],
  ['', null],
])('the day %s is %p', (text, day) => {
  expect(dayOf(text)).toBe(day as ReturnType<typeof dayOf>)
})

test('days go over the end of the week', () => {
  expect(daysBetween('saturday', 'monday')).toEqual(['saturday', 'sunday', 'monday'])
  expect(daysBetween('monday', 'monday')).toEqual(['monday'])
})

describe('Hours', () => {
  test('as pages mark them up', () => {
    const day = [{ opens: '09:00', closes: '12:00' }]
    expect(hoursIn(['Mo-We,Fr 09:00-12:00', 'Mo 9:00-12:00', 'Sa 00:00-00:00', 'Su nothing', 'x'])).toEqual({
      monday: day,
      tuesday: day,
      wednesday: day,
      friday: day,
      saturday: [],
    })
    expect(hoursIn(['Mo 14:00-18:00,09:00-12:00']).monday).toHaveLength(2)
    expect(hoursIn(['Mo 18:00-00:00']).monday).toEqual([{ opens: '18:00', closes: '24:00' }])
  })

  test('come in the order of the week and of the day, and not at all where no day is known', () => {
    const hours = orderedHours(hoursIn(['Su 14:00-18:00,09:00-12:00', 'Mo 09:00-12:00']))
    expect(Object.keys(hours ?? {})).toEqual(['monday', 'sunday'])
    expect(hours?.sunday?.map(({ opens }) => opens)).toEqual(['09:00', '14:00'])
    expect(orderedHours({})).toBeUndefined()
  })

  test('of any texts are times of a day, few of each', () => {
    const part = fc.constantFrom('Mo', '-', 'Su', ',', ' ', '09:00', '24:00', '9am', '–', '7', ':', 'x', '\n')
    const text = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 20 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        for (const periods of Object.values(hoursIn(texts))) {
          expect(periods.length).toBeLessThanOrEqual(4)
          for (const { opens, closes } of periods)
            expect(`${opens} ${closes}`).toMatch(/^\d\d:\d\d \d\d:\d\d$/)
        }
      }),
    )
  })

  test('of numbers that are none are none', () => {
    for (const [hour, minute] of [
      [-1, 0],
      [1.5, 0],
      ['x', 0],
      [Number.NaN, 0],
      [24, 30],
    ])
      expect(timeOf(hour, minute)).toBeNull()
    expect(timeOf(7, 5)).toBe('07:05')
  })
})
