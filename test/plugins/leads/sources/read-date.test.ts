import { describe, expect, test } from 'bun:test'
import { dateOf, readDate } from 'renown/leads'
import { isWeekday, monthOf } from '../../../../plugins/leads/sources/date-words'

/** Dates as feeds and pages write them, with the instant that each means, and the language if it must be known. */
const known: readonly (readonly [text: string, instant: string, language?: string])[] = [
  ['Thu, 26 Nov 2026 10:00:00 +1', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 +530', '2026-11-26T04:30:00.000Z'],
  ['2026-Nov-26 10:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 CST', '2026-11-26T16:00:00.000Z'],
  ['2026-11-26T10:00:00.000000000Z', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 BST', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 CET', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 CEST', '2026-11-26T08:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 JST', '2026-11-26T01:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 AEST', '2026-11-26T00:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 EST', '2026-11-26T15:00:00.000Z'],
  ['26 Nov 26 10:00 UT', '2026-11-26T10:00:00.000Z'],
  ['1795687200', '2026-11-26T10:00:00.000Z'],
  ['Tue, 26 Nov 2026 10:00:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Novembre 2026 10:00:00 +0100', '2026-11-26T09:00:00.000Z'],
  ['Do, 26 Nov 2026 10:00:00 +0100', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 24:00:00 GMT', '2026-11-27T00:00:00.000Z'],
  ['2026-11-26T10:00:00Z', '2026-11-26T10:00:00.000Z'],
  ['2026-11-26T10:00Z', '2026-11-26T10:00:00.000Z'],
  ['2026-11-26t10:00:00z', '2026-11-26T10:00:00.000Z'],
  ['2026-11-26T10:00:00,5+01:00', '2026-11-26T09:00:00.500Z'],
  ['2026-11-26 10:00:00 UTC', '2026-11-26T10:00:00.000Z'],
  ['2026-11-26 10:00:00 +0100', '2026-11-26T09:00:00.000Z'],
  ['2026-11-26 10:00:00.123456 +0000 UTC', '2026-11-26T10:00:00.123Z'],
  ['2026-W48-4T10:00:00Z', '2026-11-26T10:00:00.000Z'],
  ['2026W484T100000Z', '2026-11-26T10:00:00.000Z'],
  ['2026-330T10:00:00Z', '2026-11-26T10:00:00.000Z'],
  ['20261126T100000Z', '2026-11-26T10:00:00.000Z'],
  ['20261126T1000+0100', '2026-11-26T09:00:00.000Z'],
  ['1795687200000', '2026-11-26T10:00:00.000Z'],
  ['1795687200.5', '2026-11-26T10:00:00.500Z'],
  ['/Date(1795687200000)/', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 -0000', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 Z', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 America/Los_Angeles', '2026-11-26T18:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 Europe/Berlin', '2026-11-26T09:00:00.000Z'],
  ['2026-11-26T10:00:00+01:00[Europe/Berlin]', '2026-11-26T09:00:00.000Z'],
  ['2026-07-26T10:00:00 Europe/Berlin', '2026-07-26T08:00:00.000Z'],
  ['Thu Nov 26 10:00:00 UTC 2026', '2026-11-26T10:00:00.000Z'],
  ['Thu Nov 26 2026 10:00:00 GMT+0100 (Central European Standard Time)', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 GMT+1', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 UTC+01:00', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 +01:00', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 +0100 CET', '2026-11-26T09:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 -0500 (EST)', '2026-11-26T15:00:00.000Z'],
  ['Thursday, November 26, 2026 10:00 AM EST', '2026-11-26T15:00:00.000Z'],
  ['November 26th, 2026 at 10:00 pm UTC', '2026-11-26T22:00:00.000Z'],
  ['Nov 26, 2026 12:00 AM PST', '2026-11-26T08:00:00.000Z'],
  ['Nov 26, 2026 10 p.m. ET', '2026-11-27T03:00:00.000Z'],
  ['26/Nov/2026:10:00:00 +0000', '2026-11-26T10:00:00.000Z'],
  ['26-Nov-2026 10:00:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['Thursday, 26-Nov-26 10:00:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['26.11.2026 10:00 MEZ', '2026-11-26T09:00:00.000Z'],
  ['26/11/2026 10:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['2026/11/26 10:00:00 +0000', '2026-11-26T10:00:00.000Z'],
  ['jeu., 26 nov. 2026 10:00:00 +0100', '2026-11-26T09:00:00.000Z'],
  ['jeudi 26 novembre 2026 à 10h00 CET', '2026-11-26T09:00:00.000Z'],
  ['mar. 24 nov. 2026 10:00:00 +0100', '2026-11-24T09:00:00.000Z'],
  ['mar, 24 mar 2026 10:00:00 +0100', '2026-03-24T09:00:00.000Z'],
  ['чт, 26 ноя 2026 10:00:00 +0300', '2026-11-26T07:00:00.000Z'],
  ['26 ноября 2026 г. 10:00 MSK', '2026-11-26T07:00:00.000Z'],
  ['czw, 26 lis 2026 10:00:00 +0100', '2026-11-26T09:00:00.000Z', 'pl'],
  ['26 de noviembre de 2026 10:00:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['2026年11月26日 10:00:00 +0900', '2026-11-26T01:00:00.000Z'],
  ['2026年11月26日 下午3:30 +0800', '2026-11-26T07:30:00.000Z'],
  ['2026년 11월 26일 오전 10:00 KST', '2026-11-26T01:00:00.000Z'],
  ['2026年11月26日(木) 10時00分00秒 JST', '2026-11-26T01:00:00.000Z'],
  ['الخميس، 26 نوفمبر 2026 10:00:00 +0300', '2026-11-26T07:00:00.000Z'],
  ['٢٦ نوفمبر ٢٠٢٦ ١٠:٠٠ +0300', '2026-11-26T07:00:00.000Z'],
  ['Per, 26 Kas 2026 10:00:00 +0300', '2026-11-26T07:00:00.000Z'],
  ['Πεμ, 26 Νοε 2026 10:00:00 +0200', '2026-11-26T08:00:00.000Z'],
  ['26. November 2026 um 10:00 Uhr MEZ', '2026-11-26T09:00:00.000Z'],
  ['to 26. marraskuuta 2026 klo 10.00 EET', '2026-11-26T08:00:00.000Z'],
  ['Do, 26 Dez 2026 10:00:00 +0100', '2026-12-26T09:00:00.000Z'],
  ['Kamis, 26 November 2026 10.00 WIB', '2026-11-26T03:00:00.000Z'],
  ['T5, 26 tháng 11 2026 10:00 +0700', '2026-11-26T03:00:00.000Z'],
  ['Thu, 26 Nov 2026 23:59:60 GMT', '2026-11-27T00:00:00.000Z'],
  ['Thu, 26 Nov 126 10:00:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['Fri, 02 Jan 1970 00:00:00 GMT', '1970-01-02T00:00:00.000Z'],
  ['Thu, 26 Nov 2026 10.00.00 GMT', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00PM GMT', '2026-11-26T22:00:00.000Z'],
  ['Thu,26 Nov 2026 10:00:00GMT', '2026-11-26T10:00:00.000Z'],
  ['Thu 26 Nov 2026 10:00:00 EDT', '2026-11-26T14:00:00.000Z'],
  ['  Thu, 26  Nov  2026\n 10:00:00 GMT ', '2026-11-26T10:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 +0100 (CET)', '2026-11-26T09:00:00.000Z'],
  ['26 nov 2026 10:00:00 +0100', '2026-11-26T09:00:00.000Z'],
  ['2026-11-26T10:00:00+0100', '2026-11-26T09:00:00.000Z'],
  ['2026-11-26T10:00:00+01', '2026-11-26T09:00:00.000Z'],
  ['2026-11-26T10:00:00 +01:00', '2026-11-26T09:00:00.000Z'],
  ['2026-11-26T24:00:00Z', '2026-11-27T00:00:00.000Z'],
  ['Thu, 26 Nov 2026 10:00:00 NZDT', '2026-11-25T21:00:00.000Z'],
  ['2026-11-26T10:00:00.1234567Z', '2026-11-26T10:00:00.123Z'],
  ['26 November 2026 10:00:00 +0530', '2026-11-26T04:30:00.000Z'],
  ['11/26/2026 10:00:00 AM EST', '2026-11-26T15:00:00.000Z'],
  ['26 נובמבר 2026 10:00 +0200', '2026-11-26T08:00:00.000Z'],
  ['26 בנובמבר 2026 10:00 +0200', '2026-11-26T08:00:00.000Z'],
  ['26 nóvember 2026 10:00 GMT', '2026-11-26T10:00:00.000Z'],
  ['26 नवंबर 2026 10:00 +0530', '2026-11-26T04:30:00.000Z'],
]

/** Dates that nobody can read with certainty. */
const unknown: readonly string[] = [
  'Thu, 26 Nov 2026 10:00:00 +0100 GMT',
  '2026-11-26T10:00:00+01:00Z',
  'Nov 26, 2026',
  '2026-11',
  '05-11-2026 10:00 GMT',
  'Thu, 32 Nov 2026 10:00:00 GMT',
  'heute, 10:00 Uhr',
  'vor 2 Stunden',
  '26/11-2026 10:00 GMT',
  'Thu, 26 Nov 2026 10:00:00 IST',
  '26/11/2026 10:00',
  '2026-11-26 10:00:00',
  '2026-11-26T10:00:00',
  '2026-11-26',
  '20261126',
  'Thu, 26 Nov 2026 10:00:00 A',
  'Thu, 26 Nov 2026 10:00:00',
  'Thu, 26 Nov 2026',
  '2026-03-29T02:30:00 Europe/Berlin',
  'Thu Nov 26 10:00:00 2026',
  'Thu, 26 Nov 2026 10:00:00 +2500',
  'Thu, 26 Nov 2026 10:00:00 +0100 EST',
  '26.11.2026, 10:00 Uhr',
  '05/11/2026 10:00 GMT',
  'czw, 26 lis 2026 10:00:00 +0100',
  '木, 26 11 2026 10:00:00 +0900',
  'Thu, 31 Feb 2026 10:00:00 GMT',
  'Thu, 26 Nov 2026 25:00:00 GMT',
  'yesterday',
  '2 hours ago',
  '0',
  '0000-00-00 00:00:00',
  '0000-00-00T00:00:00Z',
  'Invalid Date',
  'Mon, 01 Jan 0001 00:00:00 +0000',
  'Thu, 26 Nov 2569 10:00:00 +0700',
  'Thu, 26 Nov 2026 10:00:00 AST',
  '26 वंबर',
  '2026-11-26T10:00:00Z+01:00',
  '2026-11-26T10:00:00-05:00:00',
]

describe('a date', () => {
  test.each(known.map(([text, instant, language]) => ({ text, instant, language })))(
    '$text is $instant',
    ({ text, instant, language }) => {
      expect(readDate(text, language)).toEqual({ is: 'value', value: instant })
    },
  )

  test.each(unknown)('%s is unknown, with the reason', (text) => {
    const read = readDate(text)
    expect(read.is).toBe('unknown')
    expect(read).toHaveProperty('because', expect.stringMatching(/^[a-z]/))
    expect(dateOf(text)).toBeUndefined()
  })

  test.each(['', '   ', null, undefined])('that is empty (%p) is not said', (text) => {
    expect(readDate(text)).toEqual({ is: 'none' })
  })

  const tags =
    'en de fr es it pt nl sv da nb fi pl cs sk hu ro bg ru uk el tr et lv lt he ar fa hi id ca sl hr sr'

  test.each(tags.split(' '))('in the language %s is read with each month and day, long and short', (tag) => {
    for (let month = 0; month < 12; month++) {
      const at = Date.UTC(2026, month, 15, 10)
      for (const name of ['long', 'short'] as const) {
        const format = new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, {
          weekday: name,
          day: 'numeric',
          month: name,
          year: 'numeric',
          timeZone: 'UTC',
        })
        const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
        const text = `${parts.get('weekday')}, 15 ${parts.get('month')} 2026 10:00:00 +0000`
        if (/\d/.test(parts.get('month') ?? '')) continue
        expect([text, readDate(text, tag)]).toEqual([
          text,
          { is: 'value', value: new Date(at).toISOString() },
        ])
      }
    }
  })

  test('is never read as now when a part is taken away', () => {
    for (const [text] of known) {
      for (let at = 0; at < text.length; at++) {
        const read = readDate(text.slice(0, at) + text.slice(at + 1))
        if (read.is === 'value') expect(Math.abs(Date.parse(read.value) - Date.now())).toBeGreaterThan(60_000)
      }
      expect(readDate(`x${text}y`).is).toBe('unknown')
    }
  })

  test.each(['Thu, 01 Jan 1970 00:00:00 +0000', '1970-01-01T01:00:00+01:00', '1970-01-01T00:00:00-08:00'])(
    '%s is what programs write for none',
    (text) => {
      expect(readDate(text).is).toBe('unknown')
    },
  )

  test('takes bounded work, whatever the text is', () => {
    const parts = ['1', ' ', ':', '(', '[', 'T', '26.', 'a ', '+', '٣', '年', 'Nov ', '\u0301', '/', '-']
    for (const one of parts) for (const other of parts) readDate((one + other).repeat(100_000))
    for (const one of parts) for (const other of parts) readDate((one + other).repeat(50).slice(0, 100))
  })
})

describe('words of dates', () => {
  test('name a month if they mean the same one in every language, or the language is known', () => {
    expect(['lis', 'srpen', 'ноя', 'Sept', 'jui', 'xx'].map((word) => monthOf(word))).toEqual([
      undefined,
      8,
      11,
      9,
      undefined,
      undefined,
    ])
    expect([monthOf('lis', 'pl'), monthOf('lis', 'hr')]).toEqual([11, 10])
  })

  test('name a day of the week in any language', () => {
    expect(['Do', 'jeu.', 'чт', '木', 'Nov'].map(isWeekday)).toEqual([true, true, true, true, false])
  })
})
