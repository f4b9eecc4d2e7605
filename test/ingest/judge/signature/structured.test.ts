import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Token } from 'structured-headers'
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
    expect(parseItem('"a";b')).toEqual(['a', new Map([['b', true]])])
  })

  test('has the signs and the sizes that the syntax allows', () => {
    const isRead = (text: string) => parseDictionary(text) !== null
    for (const text of [
      'a=" ~"',
      'a="\\"\\\\"',
      '*a.b-c_9*=1',
      "a=*t!#$%&'+.^_`|~:/-0Z",
      'a=-5',
      'a=123456789012345',
    ])
      expect([text, canonical(text)]).toEqual([text, text])
    for (const text of [
      'a="\x7f"',
      'a="\x1f"',
      'a=-',
      'a=5x',
      'a=1-',
      'a=/t',
      'a=1234.',
      '-a=1',
      'a b',
      'a=:Y-:',
      'a=:YQ',
    ])
      expect([text, isRead(text)]).toEqual([text, false])
    for (const text of [
      'a=("x"',
      'a=("x"\t"y")',
      'a=("x"',
      'a=?',
      'a=?x',
      'a=1;',
      'a=1;=1',
      'a=1;x=',
      ',a=1',
      'a=1,,b',
    ])
      expect([text, isRead(text)]).toEqual([text, false])
    expect(canonical(' a=?1;b=?1;  c=?0 ')).toBe('a=?1;b;c=?0')
    expect(canonical('a=()')).toBe('a=()')
    expect(canonical('a=("x";p=-7  y;q );r="s"\t,\tb=:YWI:')).toBe('a=("x";p=-7 y;q);r="s", b=:YWI=:')
  })

  test('has at most so many characters and 64 parts, of whatever kind', () => {
    const isRead = (text: string) => parseDictionary(text) !== null
    expect(isRead(`a="${'x'.repeat(fieldMax - 4)}"`)).toBe(true)
    expect(isRead(`a="${'x'.repeat(fieldMax - 3)}"`)).toBe(false)
    const many = (count: number, make: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => make(at))
    expect(isRead(many(64, (at) => `k${at}`).join(','))).toBe(true)
    expect([63, 64].map((count) => isRead(`a=(${many(count, () => 'x').join(' ')})`))).toEqual([true, false])
    expect([62, 63].map((count) => isRead(`a=x${many(count, (at) => `;p${at}`).join('')}`))).toEqual([
      true,
      false,
    ])
  })

  test('with a decimal, a date or a text for display is refused, and with their signs in a string it is not', () => {
    for (const text of ['a=1.0', 'a=x;y=2.5', 'a=("x" -1.0)', 'a=@1', 'a=("x";y=@2)', 'a=%"x"', 'a=x;y=%"z"'])
      expect([text, parseDictionary(text)]).toEqual([text, null])
    for (const text of ['1.0', '@1', '%"x"', 'x;y=@1']) expect([text, parseItem(text)]).toEqual([text, null])
    for (const text of ['a="=1.0 @1 %\\" =2.5"', 'a=v1.0;b.1="x"', 'a=("(1.0" w/2.0)'])
      expect([text, canonical(text)]).toEqual([text, text])
  })

  test('that is one item may have spaces around it', () => {
    const value = (text: string) => parseItem(text)?.[0]
    expect(value(' tok ')).toEqual(new Token('tok'))
    expect([value('7'), value('?0')]).toEqual([7, false])
    expect(Buffer.from(value(':YWI=:') as ArrayBuffer).toString()).toBe('ab')
    for (const text of ['', '(a)', 'a,b', '"a']) expect(parseItem(text)).toBeNull()
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
