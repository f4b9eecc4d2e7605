import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Hit } from 'renown/contracts'
import { readLine } from '../../../../ingest/parse/formats/any-line'
import { startState } from '../../../../ingest/parse/formats/body-state'
import { readPlainRecord } from '../../../../ingest/parse/formats/plain-record'
import { linesIn, lineText, nextLine } from '../../../../ingest/parse/formats/text/lines'
import { instantOf, isZoneless } from '../../../../ingest/parse/formats/text/time'
import { nearMisses } from '../../support/near-misses'
import { ip, now, requestIn, ts, ua } from '../../support/read-hits'

const numRuns = process.env.RENOWN_LONG === '1' ? 200_000 : 5_000

/** Reads every line of a text both ways where the plain way reads it at all; says how many those were. */
function readBoth(text: string): number {
  const lines = linesIn(text)
  let plain = 0
  while (nextLine(lines)) {
    const hit = readPlainRecord(lines, now)
    if (!hit) continue
    plain++
    expect<unknown>(hit).toEqual(requestIn(readLine(lineText(lines), startState(now, 2 ** 16), 0) as Hit))
  }
  return plain
}

const whole = {
  ts,
  ip,
  method: 'GET',
  path: '/a',
  status: 200,
  ua,
  referer: '',
  id: 'r-1',
  host: 'a.example',
}
const line = JSON.stringify(whole)

const name = fc.constantFrom(
  ...'ts ip method path path url host status ua ua referer referrer id uax __proto__'.split(' '),
)
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(`"${ua}"`, '"/a"', '"GET"', '"-"', '""', '"200"', `${ts}`, '200', '0'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map((text) => `"${text}"`) },
  fc.constantFrom('00', '007', '1795192972.864', '1e3', '-1', '999999999999999', '1234567890123456', '099'),
  fc.constantFrom('null', 'true', '[]', '{}', '["a"]', '"2026-11-20T16:42:52Z"', '"x\\"y"', '"\\u0041"'),
  fc.constantFrom('"tab\there"', '"\u007f\u00e9\ud800"'),
)
const space = fc.oneof({ weight: 20, arbitrary: fc.constant('') }, fc.constantFrom(' ', '  ', '\t'))
const fit: Readonly<Record<string, unknown>> = { ...whole, url: '/u', referrer: 'https://chatgpt.com/' }
const pair = fc
  .tuple(name, fc.option(value, { freq: 1 }), space, space, space)
  .map(([key, wild, before, middle, after]) => {
    const text = wild ?? JSON.stringify(fit[key] ?? 'x')
    return { key, text: `"${key}"${before}:${middle}${text}${after}` }
  })
const pairs = fc.oneof(
  { weight: 9, arbitrary: fc.uniqueArray(pair, { maxLength: 6, selector: ({ key }) => key }) },
  fc.array(pair, { maxLength: 4 }),
)
const end = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  fc.constantFrom('\r', ' ', ',', '}', '{"ua":"x"}'),
)
const object = fc.tuple(pairs, space, fc.boolean(), end).map(([all, first, isGiven, last]) => {
  const given = isGiven && !all.some(({ key }) => key === 'ua') ? [`"ua":"${ua}"`] : []
  return `{${first}${[...given, ...all.map(({ text }) => text)].join(',')}}${last}`
})

test('what is read where it stands is what JSON.parse reads, whatever the object', () => {
  let plain = 0
  fc.assert(
    fc.property(fc.array(object, { maxLength: 4 }), (all) => {
      plain += readBoth(all.join('\n'))
    }),
    { numRuns },
  )
  expect(plain).toBeGreaterThan(numRuns / 10)
})

test('however a line is spoiled', () => {
  let plain = 0
  const piece = fc.oneof(
    fc.constantFrom(...'"\\{}:,- \n\t0'.split(''), '":"', '","', '"ua":"', '"ts":', '\u0001', '\r\n'),
    fc.string({ maxLength: 4 }),
  )
  const spoiled = fc
    .array(fc.tuple(fc.nat(line.length), fc.nat(4), piece), { maxLength: 2 })
    .map((edits) =>
      edits.reduce(
        (text, [at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length),
        line,
      ),
    )
  fc.assert(
    fc.property(fc.array(spoiled, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', ''), (all, glue) => {
      plain += readBoth(all.join(glue))
    }),
    { numRuns },
  )
  expect(plain).toBeGreaterThan(numRuns / 3)
})

test('the user agent of the line before is told from one that only begins like it', () => {
  const of = (text: string) => JSON.stringify({ ts, path: '/a', ua: text })
  const all = [ua, ua, `${ua}x`, ua.slice(0, -1), '', '-', ua, 'é', 'é']
  expect(readBoth(all.map(of).join('\n'))).toBe(all.length)
  expect(readBoth(`${of(ua)}\n{"path":"/a","ua":7}\n${of(ua)}`)).toBe(2)
})

test('a signed record is left to the reader that knows signatures, and an empty signature is none', () => {
  const signed = {
    signature_agent: '"https://a.example"',
    signature_input: 'sig1=()',
    signature: 'sig1=:YQ==:',
  }
  const bare = { signature_agent: 'a', signature_input: 'b', signature: 'c' }
  const of = (more: object) => JSON.stringify({ ...whole, ...more })
  expect(readBoth(of(bare))).toBe(0)
  expect(readBoth(of(signed))).toBe(0)
  expect(readBoth(of({ signature: 'c' }))).toBe(0)
  expect(readBoth(of({ ...bare, signature: '' }))).toBe(1)
  expect(readBoth(of({ signature_agent: 'a', signature_input: 'b' }))).toBe(1)
})

// Time that grows with the square of a length would take minutes here.
test('a quote that never comes is not looked for anew by every line', () => {
  for (const torn of ['{"ua', '{"ua":"', '{"ua":"x","path":"']) readBoth(`${torn}\n`.repeat(200_000))
  expect(readBoth(`${line}\n`.repeat(20_000))).toBe(20_000)
}, 90_000)

const names = 'ts|ip|method|path|url|host|status|ua|referer|referrer|id'
const number = '(?:0|[1-9]\\d{0,14})'
const member = `"(?:(?:${names})": ?"[^"\\\\\\u0000-\\u001f]*"|(?:ts|status)": ?${number})`
const simple = new RegExp(`^\\{${member}(?:, ?${member})*\\}\\r?$`)

/** The usual simple form: our fields, texts without a backslash and whole numbers. What it fits is read where it stands. */
function isSimple(text: string): boolean {
  if (!simple.test(text)) return false
  const read = JSON.parse(text)
  const says = (name: string) => !['', '-', undefined].includes(read[name])
  const isDated = read.ts === undefined || instantOf(read.ts) !== null || read.ts === ''
  return 'ua' in read && (says('path') || says('url')) && isDated && !isZoneless(read.ts)
}

test('a simple record is read where it stands, and none one character away from it is misread', () => {
  const given = [
    line,
    JSON.stringify({ ...whole, ip: '-', ts: new Date(ts).toISOString(), status: '200' }).replaceAll(
      ',',
      ', ',
    ),
    '{"ua":"-","url":"/","referrer":"https://a.example/","ts":1795192972}',
    `{"ts": "", "method":"POST","status": 0,"ua":"","path":"-","url":"/b"}\r`,
    '{"ts":123456789012345,"ua":"a","path":"/a"}',
  ]
  for (const one of given)
    for (const text of nearMisses(one, '\\"{}:, -019/;x\t\r\u001f\u007f')) {
      const isRead = readBoth(text) === 1
      if (isRead !== isSimple(text)) expect([text, isRead]).toEqual([text, isSimple(text)])
    }
  expect(given.map(isSimple)).toEqual(given.map(() => true))
})
