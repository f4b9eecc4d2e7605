import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { readLine } from '../../../../ingest/parse/formats/any-line'
import { startState } from '../../../../ingest/parse/formats/body-state'
import { readPlainCombined } from '../../../../ingest/parse/formats/plain-combined'
import { linesIn, lineText, nextLine } from '../../../../ingest/parse/formats/text/lines'
import { clfInstant } from '../../../../ingest/parse/formats/text/time'
import { nearMisses } from '../../support/near-misses'
import { ip, line } from '../../support/read-hits'

const numRuns = process.env.RENOWN_LONG === '1' ? 200_000 : 5_000
const folder = new URL('./fixtures/', import.meta.url)
const recorded = ['nginx-combined', 'nginx-common', 'nginx-vhost', 'apache-combined', 'haproxy']
  .flatMap((name) => readFileSync(new URL(`${name}.txt`, folder), 'utf8').split('\n'))
  .filter(Boolean)

/** Reads every line of a text both ways where the plain way reads it at all; says how many those were. */
function readBoth(text: string): number {
  const lines = linesIn(text)
  let plain = 0
  while (nextLine(lines)) {
    const hit = readPlainCombined(lines)
    if (!hit) continue
    plain++
    expect<unknown>(hit).toEqual(readLine(lineText(lines), startState(1, 2 ** 16), 0))
  }
  return plain
}

const piece = fc.oneof(
  fc.constantFrom(...'"\\[]- \n\t:/._7AZ'.split('')),
  fc.constantFrom(
    '" "',
    '] "',
    ' - - [',
    ' HTTP/1.1"',
    'GET ',
    'POST ',
    ' id=',
    '-',
    '\r\n',
    '\\x22',
    '2001:db8::7 ',
  ),
  fc.string({ maxLength: 4 }),
)

test('what is read where it stands is what the careful way reads, however a line is spoiled', () => {
  let plain = 0
  const spoiled = fc
    .tuple(
      fc.constantFrom(line, line.replace(ip, '-'), line.replace(' 200 ', ' 099 '), ...recorded),
      fc.array(fc.tuple(fc.nat(240), fc.nat(6), piece), { maxLength: 3 }),
    )
    .map(([text, edits]) =>
      edits.reduce((old, [at, length, insert]) => old.slice(0, at) + insert + old.slice(at + length), text),
    )
  fc.assert(
    fc.property(fc.array(spoiled, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', ''), (all, glue) => {
      plain += readBoth(all.join(glue))
    }),
    { numRuns },
  )
  // About 1,310 of 5,000 are expected. This only notices when hardly any line is read directly.
  expect(plain).toBeGreaterThan(numRuns / 10)
})

test('a time that ends before its zone would is not read over', () => {
  expect(readBoth(line.replace(' +0000] ', '] "000] '))).toBe(0)
})

test('the lines that real servers write are read where they stand', () => {
  const plain = recorded.filter((text) => readBoth(text) === 1)
  expect(plain.length).toBeGreaterThan(12)
  expect(readBoth(line.replace('GET', 'HEAD'))).toBe(1)
  expect(readBoth(line.replace('"-"', '"https://chatgpt.com/"'))).toBe(1)
})

// Time that grows with the square of a length would take minutes here.
test('a quote that never comes is not looked for anew by every line', () => {
  const head = '192.0.2.1 - - [20/Nov/2026:16:42:52 +0000] '
  const torn = ['"GET /a', '"GET /a HTTP/1.1" 200 5 "', '"GET /a HTTP/1.1" 200 5 "-" "x']
  for (const rest of torn) {
    const junk = `${'x'.repeat(200)}\n`.repeat(50_000)
    expect(readBoth(`${`${head}${rest}\n`.repeat(50_000)}${junk}`)).toBe(0)
  }
}, 90_000)

/** What stands where the user agent does is none, and what stands before it is no address. */
const turned = /" [1-9]\d\d (?:-|\d*) "(?!-|http|")[^"\\]*" "(?:-|h|")/
/** The usual simple form: what it fits is read where it stands, and nothing else. */
const simple =
  /^[\da-fA-F.:]+ - - \[.{20} [+-].{4}\] "(?:GET|POST|HEAD) [^"\\]+ HTTP\/\d\.\d" [1-9]\d\d (?:-|\d*) "[^"\\]*" "[^"\\]*"(?! id=)/

test('a simple line is read where it stands, and no line one character away from it is misread', () => {
  const post = line.replace('"GET', '"POST').replace('"-"', '"https://a.example/"')
  for (const given of [line, post, line.replace('"GET', '"HEAD').replace(ip, '2001:db8::f')])
    for (const text of nearMisses(given, '\\"-[] :/.,0139;@AFGafg`')) {
      const isRead = readBoth(text) === 1
      // A time may be of the form and not on the calendar.
      const isDated = clfInstant(text, text.indexOf('[') + 1) !== null
      expect([text, isRead]).toEqual([text, simple.test(text) && !turned.test(text) && isDated])
    }
  for (const text of [`${line} id=abcdefgh`, `${line} id`, `${line} x`, line.slice(0, -1)])
    expect([text, readBoth(text)]).toEqual([text, simple.test(text) ? 1 : 0])
})
