import { expect, test } from 'bun:test'
import { instantOf, isZoneless } from '../../../../../ingest/parse/formats/text/time'
import { nearMisses } from '../../../support/near-misses'

/** The same times, read by patterns and by the platform's calendar. */
function byPattern(given: string): number | null {
  const text = given.trim()
  if (text[4] === '-') return rfcTime(text)
  if (/^\d{9,19}(\.\d{1,9})?$/.test(text)) return epochTime(Number(text))
  return logTime(text.startsWith('[') ? text.slice(1) : text)
}

function epochTime(value: number): number | null {
  if (value < 1e8) return null
  const unit = [1e11, 1e14, 1e17].filter((bound) => value >= bound).length
  return Math.round(value * ([1e3, 1, 1e-3, 1e-6][unit] ?? 0))
}

const fraction = /(?:[.,](\d{1,9}))?/.source
const zone = /(?:\s?(?:UTC|GMT|Z|([+-])(\d\d)(?::?(\d\d))?))?/.source

function rfcTime(text: string): number | null {
  const form = new RegExp(
    `^(\\d{4})-(\\d\\d)-(\\d\\d)[Tt ](\\d\\d):(\\d\\d):(\\d\\d)${fraction}${zone}$`,
    'i',
  )
  const found = form.exec(text)
  if (!found) return null
  const [, year, month, day, hour, minute, second, part, sign, hours, minutes] = found
  const at = moment([year, month, day, hour, minute, second], part)
  return at === null ? null : moved(at, sign, hours, minutes)
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

function logTime(text: string): number | null {
  const found = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d)(.*)$/s.exec(text)
  if (!found) return null
  const [, day, name = '', year, hour, minute, second, rest = ''] = found
  const month = String(months.indexOf(name) + 1)
  const at = moment([year, month, day, hour, minute, second], undefined)
  if (at === null) return null
  // The usual zone ends where it ends, whatever follows.
  const usual = /^ ([+-])(\d\d)(\d\d)/.exec(rest)
  const known = usual && moved(at, usual[1], usual[2], usual[3])
  if (known !== null) return known
  const other = new RegExp(`^${fraction}${zone}(?=\\]|$)`, 'i').exec(rest)
  if (!other) return null
  const exact = moment([year, month, day, hour, minute, second], other[1])
  return exact === null ? null : moved(exact, other[2], other[3], other[4])
}

/** Minutes may be any two digits as long as the zone is less than a day away. */
function moved(at: number, sign = '+', hours = '0', minutes = '0'): number | null {
  const offset = Number(hours) * 60 + Number(minutes)
  return offset < 1_440 ? at - (sign === '-' ? -offset : offset) * 60_000 : null
}

function moment(parts: readonly (string | undefined)[], part = ''): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1970 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  // The 60th second is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return null
  return (
    date.getTime() + (hour * 3_600 + minute * 60 + second) * 1_000 + Number(part.slice(0, 3).padEnd(3, '0'))
  )
}

const forms = [
  '2026-11-20T16:42:52',
  '2026-11-20t16:42:52.123456789Z',
  '2026-11-20 16:42:52,5 +01:30',
  '2026-11-20T16:42:52-0130',
  '2026-11-20T16:42:52+01',
  '2026-11-20 16:42:52 utc',
  '2026-11-20T16:42:52z',
  '20/Nov/2026:16:42:52 +0130',
  '[20/Nov/2026:16:42:52 -0130]',
  '20/Nov/2026:16:42:52',
  '[20/Nov/2026:16:42:52.25]',
  '20/Nov/2026:16:42:52.25 +01:30',
  '20/Nov/2026:16:42:52,250 GMT] "',
  '1795192972',
  '1795192972.25',
  '1795192972250',
  '1795192972250000',
]

test.each(forms)('%s and every text one character away is read as patterns read it', (form) => {
  const wrong = [...nearMisses(form, '/0123569:;@-+,. TtZ[]J\n')].filter(
    (text) => instantOf(text) !== byPattern(text),
  )
  expect(wrong).toEqual([])
  expect(instantOf(form)).not.toBeNull()
})

test('every two digits in the place of two others', () => {
  for (const form of forms)
    for (const found of form.matchAll(/\d(?=\d)/g))
      for (let value = 0; value < 100; value++) {
        const text = `${form.slice(0, found.index)}${String(value).padStart(2, '0')}${form.slice(found.index + 2)}`
        if (instantOf(text) !== byPattern(text))
          expect([text, instantOf(text)]).toEqual([text, byPattern(text)])
      }
})

test('every month, year and day of the calendar', () => {
  for (let year = 1968; year < 2405; year += year > 1975 && year < 2095 ? 4 : 1)
    for (let month = 0; month <= 13; month++)
      for (const day of [0, 1, 15, 28, 29, 30, 31, 32]) {
        const pad = (value: number) => String(value).padStart(2, '0')
        const texts = [
          `${year}-${pad(month)}-${pad(day)}T23:59:59Z`,
          `${pad(day)}/${months[month - 1] ?? 'Non'}/${year}:00:00:00 +0000`,
        ]
        for (const text of texts)
          if (instantOf(text) !== byPattern(text))
            expect([text, instantOf(text)]).toEqual([text, byPattern(text)])
      }
})

test('zones around a day, and other names of months', () => {
  const rest = ['+2359', '-2359', '+2360', '+2400', '-2400', '+2401', '+23:59', '+24:00', '-2399', '+9900']
  for (const zone of rest)
    for (const text of [`20/Nov/2026:16:42:52 ${zone}`, `2026-11-20T16:42:52${zone}`])
      expect([text, instantOf(text)]).toEqual([text, byPattern(text)])
  for (const month of ['J`\u016e', 'I\u0161n', 'jan', 'JAN', 'Ja\u026e'])
    expect([month, instantOf(`20/${month}/2026:16:42:52 +0000`)]).toEqual([month, null])
})

test('the unit of a number changes at its bounds', () => {
  for (const bound of [1e8, 1e11, 1e14, 1e17])
    for (const value of [bound * 0.999, bound - 1, bound, bound + 1, bound * 1.001])
      expect([value, instantOf(value)]).toEqual([value, epochTime(value)])
  expect([instantOf(9.99e19), instantOf(1e20)]).toEqual([9.99e13, null])
})

test('a time without a zone is known as one, in each form in which it may be written', () => {
  const zoneless = [
    '2026-11-28T12:00:00',
    '2026-11-28 12:00:00',
    '2026-11-28T12:00:00.123',
    '2026-11-28T12:00:00,123456789',
    '2026/11/28 12:00:00',
    '2026/11/28 12:00:00.5',
    '28/Nov/2026:12:00:00',
    '28/Nov/2026:12:00:00.123',
    '28/Nov/2026:12:00:00]',
    ' 2026-11-28T12:00:00 ',
    '[28/Nov/2026:12:00:00]',
    '[2026-11-28 12:00:00.123]',
  ]
  const zoned = [
    ...zoneless.slice(0, 6).flatMap((text) => [`${text}Z`, `${text}+01:00`, `${text} UTC`]),
    '28/Nov/2026:12:00:00 +0100',
    '28/Nov/2026:12:00:00 GMT',
    '[28/Nov/2026:12:00:00 +0100]',
    'Sat, 28 Nov 2026 11:07:49 GMT',
    '1795175940',
    '',
  ]
  for (const text of zoneless) expect([text, isZoneless(text)]).toEqual([text, true])
  for (const text of zoned) expect([text, isZoneless(text)]).toEqual([text, false])
  for (const value of [1_795_175_940, null, undefined, {}]) expect(isZoneless(value)).toBe(false)
})
