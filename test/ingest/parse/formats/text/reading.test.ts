import { describe, expect, test } from 'bun:test'
import {
  isRecord,
  requestLine,
  signedOf,
  statusOf,
  textOf,
  unreadTime,
} from '../../../../../ingest/parse/formats/text/reading'

const hasTime = (record: Record<string, unknown>) => unreadTime(record) !== null
const text = '2026-11-20T16:42:52Z'

describe('a time in a field that is not read', () => {
  test('is refused with the fields that are read', () => {
    expect(unreadTime({ when_time: text })).toEqual({ rejected: expect.stringContaining('send it as ts') })
    expect(unreadTime({ path: '/a' })).toBeNull()
  })

  test.each([
    'time',
    'DateTime',
    'log_date',
    'timestamp',
    'ts',
    'TS',
    'log.ts',
    'log_ts',
    'log-ts',
    'at',
    'AT',
    'created.at',
    'created_at',
    'created-at',
  ])('is known by the name %p', (name) => {
    expect(hasTime({ path: '/a', [name]: 1_795_192_972 })).toBe(true)
    expect(hasTime({ [name]: { seconds: 1 } })).toBe(true)
  })

  test.each(['hosts', 'tsv', 'ts.x', 'format', 'atx', 'at.x', 'at_x', 'tsx', 'log ts', 'size'])(
    'is not known by the name %p',
    (name) => {
      expect(hasTime({ [name]: 1_795_192_972 })).toBe(false)
      expect(hasTime({ [name]: { seconds: 1 } })).toBe(false)
    },
  )

  test('is not a duration, a flag, a list or a text without a moment, whatever its name', () => {
    for (const value of [
      5,
      null,
      true,
      [text],
      '1:34:56',
      '1:2 aaaa',
      'in 20 minutes',
      `2026${'x'.repeat(61)}`,
    ])
      expect([value, hasTime({ time: value })]).toEqual([value, false])
  })

  test.each(['12:34:56', 'at 1:2 or 10', 'year 2026', `2026${'x'.repeat(60)}`])(
    'is the text %p under the name of a time',
    (value) => {
      expect(hasTime({ time: value })).toBe(true)
      expect(hasTime({ note: value })).toBe(false)
    },
  )

  test('is known without a name where it is written as a time, and not as a number', () => {
    expect(hasTime({ note: text })).toBe(true)
    expect(hasTime({ note: '1795192972' })).toBe(false)
    expect(hasTime({ note: '1795192972.5' })).toBe(true)
  })

  test('is looked for in the first 200 fields', () => {
    const after = (fields: number) => ({
      ...Object.fromEntries(Array.from({ length: fields }, (_, n) => [`f${n}`, n])),
      time: text,
    })
    expect([hasTime(after(199)), hasTime(after(200))]).toEqual([true, false])
  })
})

test('a record is an object and not an array', () => {
  expect([{}, { a: 1 }, [], null, 'x', 5, undefined].map(isRecord)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('the text of a field is its first text or number', () => {
  expect(['a', ['b', 'c'], 5, [6], 0].map(textOf)).toEqual(['a', 'b', '5', '6', '0'])
  for (const none of ['', '-', [''], ['-'], [], null, undefined, true, {}, [['a']]])
    expect([none, textOf(none)]).toEqual([none, undefined])
  expect(textOf('--')).toBe('--')
  expect([32_767, 32_768, 32_769].map((length) => textOf('x'.repeat(length))?.length)).toEqual([
    32_767, 32_768, 32_768,
  ])
})

test('a status is a number of three digits', () => {
  expect([100, '100', 999, '999', 404].map(statusOf)).toEqual([100, 100, 999, 999, 404])
  for (const none of [99, 1_000, '99', '1000', '', 'x', null, undefined, true, Number.NaN])
    expect([none, statusOf(none)]).toEqual([none, undefined])
})

describe('a request line', () => {
  test.each([
    ['GET /a HTTP/1.1', 'GET', '/a'],
    ['GET /a b HTTP/2.0', 'GET', '/a b'],
    ['GET /a b', 'GET', '/a b'],
    ['GET /', 'GET', '/'],
    ['GET HTTP/1.1', 'GET', 'HTTP/1.1'],
    ['GET /HTTP/1.1', 'GET', '/HTTP/1.1'],
    ['POST /x HTTP/1.1', 'POST', '/x'],
    ['get /x HTTP/1.1', 'get', '/x'],
    ['AZaz-M /x', 'AZaz-M', '/x'],
    [`${'M'.repeat(20)} /x`, 'M'.repeat(20), '/x'],
    ['P /x', 'P', '/x'],
  ])('%p names its method and its target', (line, method, target) =>
    expect(requestLine(line)).toEqual({ method, target }),
  )

  test.each([
    '',
    'GET',
    'GET ',
    'POST ',
    ' /x',
    '/x',
    'G1T /x',
    'P@ /x',
    'P[ /x',
    'P` /x',
    'P{ /x',
    '1 /x',
    `${'M'.repeat(21)} /x`,
    '\u0016\u0003 x',
  ])('%p is none', (line) => expect(requestLine(line)).toBeNull())
})

describe('the signature of a request', () => {
  const agent = '"https://a.example"'

  test('has three fields, each a text or the values of a header that came several times', () => {
    expect(signedOf(agent, 'sig=()', 'sig=:x:')).toEqual({ agent, input: 'sig=()', signature: 'sig=:x:' })
    expect(signedOf([agent], ['a', 'b'], 'c')).toEqual({ agent, input: 'a, b', signature: 'c' })
    const eight = Array.from({ length: 8 }, () => 'x')
    expect(signedOf(agent, eight, 'c')?.input).toBe(eight.join(', '))
    expect(signedOf(agent, [...eight, 'x'], 'c')).toBeUndefined()
  })

  test('is none without one of them, whatever stands in its place', () => {
    const whole = [agent, 'b', 'c'] as const
    for (const place of [0, 1, 2])
      for (const value of [undefined, null, '', '-', 5, {}, [], 'x'.repeat(4_097)]) {
        const [one, two, three] = whole.map((given, at) => (at === place ? value : given))
        expect([place, value, signedOf(one, two, three)]).toEqual([place, value, undefined])
      }
    expect(signedOf(agent, 'x'.repeat(4_096), 'c')?.input).toHaveLength(4_096)
  })
})
