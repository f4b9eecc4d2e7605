import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAddress } from '../../../../ingest/parse/address'
import { readHaproxy } from '../../../../ingest/parse/formats/senders/haproxy'
import { syslogMessage } from '../../../../ingest/parse/formats/senders/syslog'

// The patterns say what a line is and are slow on some: what is read by hand must say the same of short lines.
const framed = /^<\d{1,3}>(.*)$/s
const structured = /^1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+) (.+)$/s
const time3164 = String.raw`(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d[T ]\S+) `
const tagged = new RegExp(String.raw`^${time3164}(?:\S*[^\s:] )?([^\s:]+(?:\[\d+\])?:(?=.)\S*)`, 's')
const traditional = new RegExp(String.raw`^${time3164}(?:\S*[^\s:] )?[^\s:]+(?:\[\d+\])?: ?(.+)$`, 's')
/** A word with a colon that is an address, a host with a port or JSON, and lines without a tag, are tested by themselves. */
function hasPlainTag(rest: string): boolean {
  const word = tagged.exec(rest)?.[1] ?? ''
  return word !== '' && !/^[{"[]|^[^:\]]*:\d{1,5}$/.test(word) && !parseAddress(word)
}
const haproxy =
  /^(\S+) \[([^\]]+)\] \S+ \S+ \S+ (-?\d+) \S+ \S+ \S+ \S+ \S+ \S+ (?:\{(.*?)\} (?:\{.*?\} )?)?"(?:(.*)"|(?:.* HTTP\/\d(?:\.\d)?|<BADREQ>)" [^"]*[^"\s][^"]*)$/

const time = '20/Nov/2026:16:42:52.1'
const start = fc.constantFrom(
  '<190>1 a b c d e ',
  '<190>Nov 20 16:42:52 ',
  `1.2.3.4:5 [${time}] f b t 200 1 - - -- 1 2 `,
  '2026-11-20T1 ',
  '2026-11-20 1 ',
  '',
)
const piece = fc.constantFrom(
  '<1>',
  '1 ',
  'Nov 20 16:42:52 ',
  '2026-11-20T16:42:52Z ',
  'a',
  'x: ',
  ':',
  ' ',
  '[',
  ']',
  '"',
  '\\',
  '- ',
  'web1 ',
  'nginx[12]: ',
  '\t',
  '\ufeff',
  '[a@1 b="c"]',
  '{',
  '}',
  '} ',
  '{ua|r|h} ',
  `[${time}] `,
  '200 ',
  '"GET / HTTP/1.1"',
  '} "',
  '-1 ',
)
const line = fc.tuple(start, fc.array(piece, { maxLength: 9 })).map(([head, rest]) => head + rest.join(''))
const numRuns = process.env.RENOWN_LONG === '1' ? 2_000_000 : 50_000

test('syslog lines are read by hand as the patterns of the RFCs read them', () => {
  fc.assert(
    fc.property(line, (text) => {
      const rest = framed.exec(text)?.[1] ?? text
      const isStructured = rest !== text && structured.test(rest)
      if (!isStructured && traditional.test(rest) && !hasPlainTag(rest)) return
      if (!isStructured && !traditional.test(rest) && new RegExp(`^${time3164}`).test(rest)) return
      const match = (rest === text ? null : structured.exec(rest)) ?? traditional.exec(rest)
      expect(syslogMessage(text)).toBe(match?.[1]?.replace(/^\ufeff/, '').trim() || null)
    }),
    { numRuns },
  )
})

test("HAProxy's captured headers are read by hand as their pattern reads them", () => {
  const mark = fc.constantFrom('{', '}', '} ', '} x', '|', '"', '} "', '} {', 'ua', ' ', '{ua|r|h} ')
  const marked = fc
    .tuple(fc.array(mark, { maxLength: 8 }), fc.constantFrom('', '} ', '} {a} '))
    .map(
      ([marks, end]) =>
        `1.2.3.4:5 [${time}] f b t 200 1 - - -- 1 2 {${marks.join('')}${end}"GET /a HTTP/1.1"`,
    )
  let read = 0
  fc.assert(
    fc.property(marked, (text) => {
      const match = haproxy.exec(text)
      const reading = readHaproxy(text)
      expect(reading === null).toBe(match === null)
      if (!match || !reading || !('ua' in reading)) return
      read++
      const parts = (match[4] ?? '').split('|')
      const [ua, referer, host] =
        parts.length < 3 ? [...parts, ''] : [parts.slice(0, -2).join('|'), parts.at(-2), parts.at(-1)]
      expect([reading.ua, reading.referer, reading.host]).toEqual([
        ua as string,
        referer || undefined,
        host || undefined,
      ])
    }),
    { numRuns: numRuns / 10 },
  )
  expect(read).toBeGreaterThan(numRuns / 200)
})

test("HAProxy's lines are read by hand as their pattern reads them", () => {
  fc.assert(
    fc.property(line, (text) => {
      const match = haproxy.exec(text)
      const reading = readHaproxy(text)
      expect(reading === null).toBe(match === null)
      if (!match || !reading || !('ua' in reading)) return
      const parts = (match[4] ?? '').split('|')
      expect(reading.ua).toBe((parts.length < 3 ? parts[0] : parts.slice(0, -2).join('|')) ?? '')
    }),
    { numRuns },
  )
})
