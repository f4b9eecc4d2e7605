import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { readLines } from '../../support/read-hits'

const numRuns = process.env.RENOWN_LONG === '1' ? 100_000 : 3_000
const folder = new URL('./fixtures/', import.meta.url)
const lines = [...new Bun.Glob('**/*.txt').scanSync(folder.pathname)]
  .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
  .filter(Boolean)
const secret = '192.0.2.7'

/** Every line that is not blank has an outcome, of one kind, in order; what is refused is not quoted. */
function check(text: string): void {
  const parsed = readLines(text, 1)
  let last = 0
  for (const one of parsed) {
    expect(one.line).toBeGreaterThanOrEqual(last)
    last = one.line
    const kinds = ['hit', 'rejected', 'ignored'].filter((kind) => kind in one)
    expect(kinds.length).toBe(1)
    if ('hit' in one) {
      const { ts, ip, method, target, host, ua, referer, status, id, undated, zoneless, ofMany, ...rest } =
        one.hit
      expect(rest).toEqual({})
      expect(Number.isFinite(ts)).toBe(true)
      for (const text of [method, target, ua]) expect(typeof text).toBe('string')
      for (const text of [ip ?? undefined, host, referer, id])
        expect(['string', 'undefined']).toContain(typeof text)
      for (const mark of [undated, zoneless, ofMany]) expect([undefined, true]).toContain(mark)
      if (status !== undefined) expect(status >= 100 && status <= 999).toBe(true)
    } else expect(JSON.stringify(one)).not.toContain(secret)
  }
  const numbers = new Set(parsed.map((one) => one.line))
  if (!/^[\s\ufeff]*[[{]/.test(text))
    for (const [at, line] of text.split('\n').entries())
      if (line.trim() !== '') expect([at + 1, numbers.has(at + 1)]).toEqual([at + 1, true])
}

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '\\x',
    '\\xC3',
    '[',
    ']',
    '{',
    '}',
    ' ',
    '\n',
    '\r\n',
    '\t',
    ':',
    '-',
    '|',
    '#',
    '%',
    '<1>',
  ),
  fc.constantFrom(
    '\u0000',
    '\ufffd',
    '\ud800',
    '\ufeff',
    '\u2028',
    '__proto__',
    '1e999',
    '#Fields: ',
    ' - - [',
    '] "',
  ),
  fc.string({ maxLength: 8 }),
)

test('real lines, cut, joined and spoiled at random', () => {
  const spoiled = fc
    .tuple(fc.constantFrom(...lines), fc.array(fc.tuple(fc.nat(600), fc.nat(40), piece), { maxLength: 4 }))
    .map(([line, edits]) =>
      edits.reduce(
        (text, [at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length),
        line,
      ),
    )
  fc.assert(
    fc.property(fc.array(spoiled, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', '', ','), (all, glue) =>
      check(all.join(glue)),
    ),
    { numRuns },
  )
})

test('pieces of syntax in any order', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => check(pieces.join(''))),
    { numRuns },
  )
})

test('any JSON under the names that senders use', () => {
  const name = fc.constantFrom(
    ...'ts ip method path url ua host status referer id request msg uri headers proxy timestamp requestId records data message log line request_path request_headers RequestPath RequestMethod reqTimeSec cliIP reqPath EdgeStartTimestamp ClientRequestUserAgent log_type user_agent status_code cs-uri-stem cs-method date time __proto__ constructor'.split(
      ' ',
    ),
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        null,
        true,
        0,
        1.5,
        -1,
        1e300,
        1_795_192_972,
        '',
        '-',
        '/a',
        'GPTBot',
        'GET /a HTTP/1.1',
      ),
      fc.constantFrom('2026-11-20T16:42:52Z', 'handled request', 'tests', 'eyeball', 'e30='),
      fc.constantFrom(...lines),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(name, tie('any'), { maxKeys: 6 }),
    ),
  })).any
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (values) => {
      check(JSON.stringify(values))
      check(values.map((one) => JSON.stringify(one)).join('\n'))
      check(values.map((one) => JSON.stringify(one)).join(''))
    }),
    { numRuns },
  )
})

// Time that grows with the square of a length would take minutes here.
test('long and deep bodies come to an end', () => {
  const long = [
    '['.repeat(200_000),
    '{"a":'.repeat(200_000),
    `<1>1 a b c d e [${'a'.repeat(1_000_000)}`,
    `<1>1 a b c d e [a b="${'\\"'.repeat(30_000)}`,
    `192.0.2.1 - ${'[ '.repeat(30_000)}`,
    `192.0.2.1 - - [20/Nov/2026:16:42:52 +0000] "${'\\'.repeat(60_000)}`,
    `{"ua":"${'\\x41'.repeat(200_000)}"`,
    '{}'.repeat(50_000),
    '"'.repeat(60_000),
    `${' '.repeat(60_000)}x`,
    `Nov 20 16:42:52 ${'a: '.repeat(20_000)}`,
    `192.0.2.1:1 [20/Nov/2026:16:42:52.1] a b c 1 d e f g h i ${'{} '.repeat(20_000)}`,
    '\n'.repeat(200_000),
  ]
  for (const text of long) check(text)
}, 90_000)
