import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  fieldMax,
  formatMember,
  parseDictionary,
  parseItem,
} from '../../../../ingest/judge/signature/structured'

const canonical = (text: string) => {
  const members = parseDictionary(text)
  return members && [...members].map(([key, member]) => `${key}=${formatMember(member)}`).join(', ')
}

describe('a structured field', () => {
  test('is written as it was read, in its canonical form', () => {
    const field =
      'sig1=("@authority" "signature-agent";key="a\\"b\\\\c");created=1;alg="x";n=:YWI=:;t=tok/en;f=?0;y'
    expect(canonical(field)).toBe(field)
    expect(canonical('a=1 ,\t b=(  "x"   y );  p ,c')).toBe('a=1, b=("x" y);p, c=?1')
    expect(canonical('a=1;x=1;x=2, a=3')).toBe('a=3')
  })

  test('that is not one is refused', () => {
    for (const text of [
      'a=',
      'a=1,',
      'a=1 b=2',
      'A=1',
      'a="x',
      'a="\\x"',
      'a=("x"',
      'a=("x""y")',
      'a=1.5',
      'a=1234567890123456',
    ])
      expect(parseDictionary(text)).toBeNull()
    for (const text of ['a=:YQ', 'a=?2', 'a="é"', 'a=;x', '', `a="${'x'.repeat(fieldMax)}"`])
      expect(parseDictionary(text)).toBeNull()
    expect(parseDictionary(Array.from({ length: 65 }, (_, at) => `k${at}`).join(','))).toBeNull()
    expect(parseItem('"a" b')).toBeNull()
    expect(parseItem('"a";b')).toEqual({
      bare: { kind: 'string', text: 'a' },
      params: new Map([['b', { kind: 'boolean', value: true }]]),
    })
  })

  test('never throws, and its canonical form is stable', () => {
    const noise = fc
      .array(fc.constantFrom(...'ab1=;,"():?*\\ \t-.é'), { maxLength: 40 })
      .map((signs) => signs.join(''))
    fc.assert(
      fc.property(noise, (text) => {
        const once = canonical(text)
        if (once !== null) expect(canonical(once)).toBe(once)
      }),
      { numRuns: 3_000 },
    )
  })
})
