import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  objectEnd,
  recordCharactersMax,
  scanFrom,
  scanValue,
  skipSpace,
  valueEnd,
} from '../../../../../ingest/parse/formats/text/json-spans'

describe('the end of a JSON value', () => {
  test('is found whatever follows, for every value', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 5 }),
        fc.constantFrom(',', ']', '}', ' ', '\n', ',"]}', ' {'),
        (text, after) => {
          // Behind a value that is closed by itself anything may stand.
          expect(valueEnd(`  ${text}${after}`, 2)).toBe(2 + text.length)
        },
      ),
    )
  })

  test('is the same however often the scan pauses', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.integer({ min: 1, max: 9 }), (text, slice) => {
        const scan = scanFrom(`${text},`, 0)
        while (!scanValue(scan, slice)) expect(scan.at).toBeLessThanOrEqual(text.length)
        expect(scan.at).toBe(text.length)
      }),
    )
  })

  test('is not there for a value that is torn or too long', () => {
    for (const torn of ['[', '{"a":[1,2', '"x', '["\\"]', '12'])
      expect([torn, valueEnd(torn, 0)]).toEqual([torn, -1])
    expect(valueEnd(`"${'x'.repeat(recordCharactersMax)}",`, 0)).toBe(-1)
    expect(valueEnd(`[${'1,'.repeat(recordCharactersMax / 2)}1]`, 0)).toBe(-1)
  })
})

test('objects that stand back to back are told apart by their braces', () => {
  const text = '{"a":"}{"} , {"b":{"c":"\\"}"}}{'
  const first = objectEnd(text, 0)
  expect(text.slice(0, first)).toBe('{"a":"}{"}')
  const second = objectEnd(text, first)
  expect(text.slice(first, second)).toBe(' , {"b":{"c":"\\"}"}}')
  expect(objectEnd(text, second)).toBe(-1)
})

test('spaces are passed over, up to a bound', () => {
  expect(skipSpace('\ufeff \t\r\nx', 0)).toBe(5)
  expect(skipSpace('   ', 0, 2)).toBe(2)
  expect(skipSpace('', 0)).toBe(0)
})
