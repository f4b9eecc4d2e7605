import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { clfInstant, instantOf } from '../../../../../ingest/parse/formats/text/time'

const numRuns = process.env.RENOWN_LONG === '1' ? 100_000 : 3_000
const instant = fc.integer({ min: 0, max: Date.UTC(2400, 0, 1) })
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const pad = (value: number, width = 2) => String(value).padStart(width, '0')

test('every moment from 1970 to 2400 is read as the platform writes it', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: -1439, max: 1439 }), (ms, offset) => {
      expect(instantOf(new Date(ms).toISOString())).toBe(ms)
      // The same moment on a clock that is `offset` minutes ahead.
      const local = new Date(ms + offset * 60_000)
      if (local.getTime() < 0) return
      const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60))}${pad(Math.abs(offset) % 60)}`
      expect(instantOf(local.toISOString().replace('Z', zone))).toBe(ms)
      const text = `${pad(local.getUTCDate())}/${months[local.getUTCMonth()]}/${local.getUTCFullYear()}:${local.toISOString().slice(11, 19)} ${zone}`
      expect(clfInstant(`x${text}`, 1)).toBe(ms - local.getUTCMilliseconds())
    }),
    { numRuns },
  )
})

test('a day that is not on the calendar is no time', () => {
  for (const year of [1970, 1999, 2000, 2023, 2024, 2100, 2400])
    for (let month = 0; month < 14; month++)
      for (let day = 0; day <= 40; day++) {
        const exists =
          new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12
        const read = instantOf(`${year}-${pad(month)}-${pad(day)}T00:00:00Z`)
        expect([year, month, day, read]).toEqual([
          year,
          month,
          day,
          exists ? Date.UTC(year, month - 1, day) : null,
        ])
      }
})

test('text that only begins like a time is none', () => {
  const good = '2026-11-20T16:42:52Z'
  for (let cut = 0; cut < 19; cut++) expect([cut, instantOf(good.slice(0, cut))]).toEqual([cut, null])
  for (const bad of [
    `${good}x`,
    `x${good}`,
    '2026-11-20T16:42:52.Z',
    '2026-11-20T16:42:52+1',
    '2026-11-20T16.42.52Z',
  ])
    expect([bad, instantOf(bad)]).toEqual([bad, null])
})

test.each([
  ['', 0],
  ['.250', 0],
  [' +0200', -120],
  ['.250 +0200', -120],
  [',250 -0330', 210],
  ['.250+02:00', -120],
  [' +02:00', -120],
  [' UTC', 0],
  ['.5 GMT', 0],
  ['Z', 0],
  [' CET', null],
  [' PST', null],
  ['.250 CET', null],
  [' +9999', null],
  [' +2', null],
  [' Europe/Madrid', null],
  [' xx', null],
])('the zone %p of a time of the common log format moves it by %p minutes', (zone, minutes) => {
  const fraction = Number(/[.,](\d+)/.exec(zone)?.[1]?.padEnd(3, '0') ?? 0)
  const wanted = minutes === null ? null : Date.UTC(2026, 10, 20, 16, 42, 52, fraction) + minutes * 60_000
  const text = `20/Nov/2026:16:42:52${zone}`
  expect(instantOf(text)).toBe(wanted)
  expect(clfInstant(`1.2.3.4 - - [${text}] "GET / HTTP/1.1" 200`, 13)).toBe(wanted)
})

test('one wrong character anywhere is no time', () => {
  const wrong = ['x', ':', '/', '-', ' ', '.', '\u0000', '']
  for (const [good, asked] of [
    ['2026-11-20T16:42:52+01:30', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?\s?([+-]\d\d(:?\d\d)?)?$/],
    [
      '20/Nov/2026:16:42:52 +0130',
      /^\d\d\/Nov\/\d{4}:\d\d:\d\d:\d\d(?! [+-])|^\d\d\/Nov\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}/,
    ],
  ] as const)
    for (let at = 0; at < good.length; at++)
      for (const char of wrong) {
        const text = good.slice(0, at) + char + good.slice(at + 1)
        if (!asked.test(text)) expect([text, instantOf(text)]).toEqual([text, null])
      }
})

test('numbers are told by their size', () => {
  const second = 1_795_192_972
  for (const unit of [1, 1e3, 1e6, 1e9]) expect(instantOf(second * unit)).toBe(second * 1000)
  for (const odd of [99_999_999, 1e20, Number.NaN, Number.POSITIVE_INFINITY])
    expect(instantOf(odd)).toBeNull()
  expect(instantOf(1e8)).toBe(1e11)
  for (const text of [
    '12345678',
    '123456789012345678901',
    '1e12',
    '0x7fffffff',
    '1795192972.',
    '-1795192972',
  ])
    expect([text, instantOf(text)]).toEqual([text, null])
})

const ts = Date.UTC(2026, 10, 20, 16, 42, 52)
describe('times', () => {
  const good: [unknown, number][] = [
    ['2026-11-20T16:42:52Z', ts],
    ['2026-11-20T17:42:52+01:00', ts],
    ['2026-11-20T11:12:52-0530', ts],
    ['2026-11-20t16:42:52.123456z', ts + 123],
    ['2026-11-20 16:42:52', ts],
    ['2026-11-20 16:42:52 UTC', ts],
    ['20/Nov/2026:17:42:52 +0100', ts],
    ['[20/Nov/2026:16:42:52 +0000]', ts],
    [ts / 1000, ts],
    [ts / 1000 + 0.5, ts + 500],
    [ts, ts],
    [ts * 1000, ts],
    [ts * 1e6, ts],
    [String(ts / 1000), ts],
    [`${ts / 1000}.864`, ts + 864],
    [`${ts}000000`, ts],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ]
  for (const [value, instant] of good)
    test(JSON.stringify(value), () => expect(instantOf(value)).toBe(instant))
  const bad: unknown[] = [
    'yesterday',
    '2026-11-20',
    '2026-02-29T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-13-20T00:00:00Z',
    '2026-11-20T16:42:52+24:00',
    '20/Nov/2026:16:42:61 +0000',
    '20/Foo/2026:16:42:52 +0000',
    '32/Jan/2026:16:42:52 +0000',
    0,
    -5,
    1e30,
    true,
    {},
    [],
  ]
  for (const value of bad) test(`not ${JSON.stringify(value)}`, () => expect(instantOf(value)).toBeNull())
})

test.each([
  ['GMT', 0],
  ['UTC', 0],
  ['+0000', 0],
  ['+0200', -120],
  ['-0330', 210],
  ['-0800', 480],
])('the zone %s of the time of a mail moves it by %p minutes', (zone, minutes) =>
  expect(instantOf(`Fri, 20 Nov 2026 16:42:52 ${zone}`)).toBe(
    Date.UTC(2026, 10, 20, 16, 42, 52) + minutes * 60_000,
  ),
)
