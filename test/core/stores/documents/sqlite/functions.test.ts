import { expect, test } from 'bun:test'
import { dayIn, periodStart } from '../../../../../core/stores/documents/sqlite/functions'

const isLong = process.env.RENOWN_LONG !== undefined
/** Zones of every kind: no change, whole and half hours, changes by half an hour, at midnight, around Ramadan, a skipped day. */
const kinds = [
  'Europe/London',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Asuncion',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Asia/Tokyo',
]
const zones = isLong ? Intl.supportedValuesOf('timeZone') : kinds

test('the day of an instant in a zone is the one of its calendar, on every day and around each midnight', () => {
  for (const zone of zones) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    const day = dayIn(zone)
    const wrong: string[] = []
    // Steps of 3 h 45 min pass every hour of the day, and quarters of each.
    for (let at = Date.UTC(2023, 0, 1); at < Date.UTC(2027, 0, 1); at += 13_500_000) {
      for (const ms of [at, at + 899_999]) {
        const instant = new Date(ms).toISOString()
        if (day(instant) !== format.format(ms)) wrong.push(instant)
      }
    }
    expect({ zone, wrong: wrong.slice(0, 5) }).toEqual({ zone, wrong: [] })
  }
}, 300_000)

test('the days around a skipped day and a change of the clocks at midnight', () => {
  const apia = dayIn('Pacific/Apia')
  expect([apia('2011-12-30T09:59:59.999Z'), apia('2011-12-30T10:00:00.000Z')]).toEqual([
    '2011-12-29',
    '2011-12-31',
  ])
  const asuncion = dayIn('America/Asuncion')
  expect([
    asuncion('2024-03-24T02:59:59.999Z'),
    asuncion('2024-03-24T03:00:00.000Z'),
    asuncion('2024-03-24T03:59:59.999Z'),
    asuncion('2024-03-24T04:00:00.000Z'),
  ]).toEqual(['2024-03-23', '2024-03-23', '2024-03-23', '2024-03-24'])
})

test('an instant in another form has the same day', () => {
  const tokyo = dayIn('Asia/Tokyo')
  const forms = ['2026-03-14T15:00:00Z', '2026-03-14T15:00:00.000Z', '2026-03-15T00:00:00+09:00']
  expect(forms.map(tokyo)).toEqual(['2026-03-15', '2026-03-15', '2026-03-15'])
})

test('weeks begin on Monday and months on their first day', () => {
  expect(periodStart('2026-11-22', 'week')).toBe('2026-11-16')
  expect(periodStart('2026-11-23', 'week')).toBe('2026-11-23')
  expect(periodStart('2026-11-23', 'month')).toBe('2026-11-01')
  expect(periodStart('2026-11-23', 'day')).toBe('2026-11-23')
})
