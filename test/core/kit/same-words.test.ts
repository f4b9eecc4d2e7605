import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bareWords, isSameWords, withoutReferences } from 'renown/sources'

const escapes: Readonly<Record<string, (text: string) => string>> = {
  'named references': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'decimal references': (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  'decimal references with zeros': (text) => text.replace(/[&<>"']/g, (sign) => `&#0${sign.charCodeAt(0)};`),
  'hexadecimal references': (text) =>
    text.replace(/[&<>"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  'references for all that is not ASCII': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replace(/[^\0-\x7f]/gu, (sign) => (sign === 'ü' ? '&uuml;' : `&#${sign.codePointAt(0)};`)),
}
const rewrites: Readonly<Record<string, (text: string) => string>> = {
  ...escapes,
  'Windows line ends': (text) => text.replaceAll('\n', '\r\n'),
  'old Mac line ends': (text) => text.replaceAll('\n', '\r'),
  'line separators': (text) => text.replaceAll('\n', '\u2028'),
  'lines joined': (text) => text.replaceAll('\n', ' '),
  'spaces doubled': (text) => text.replaceAll(' ', '  '),
  'spaces that do not break': (text) => text.replaceAll(' ', '\u00a0'),
  'accents taken apart': (text) => text.normalize('NFD'),
  'a byte order mark': (text) => `\ufeff${text}`,
  'marks of direction': (text) => `\u200e${text}\u200f`,
  'white space around': (text) => ` ${text}\n`,
}
const ours = ['Hello & thanks', 'Tom\'s "grill" <3\nMünchen, 5 > 4', 'Grüße 👍🏽 an alle & bis bald']

describe('the words of a reply', () => {
  for (const [name, rewrite] of Object.entries(rewrites)) {
    test(`stay the same with ${name}, once and three times over`, () => {
      for (const text of ours) {
        expect(isSameWords(text, rewrite(text))).toBe(true)
        expect(isSameWords(text, rewrite(rewrite(rewrite(text))))).toBe(true)
      }
    })
  }

  test('stay the same with any two rewrites after each other', () => {
    const any = fc.constantFrom(...Object.values(rewrites))
    const words = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => `Danke & tschüss ${text}`)
    fc.assert(
      fc.property(words, any, any, (text, first, then) => isSameWords(text, then(first(text)))),
      { numRuns: 500 },
    )
  })

  test('differ with another word, another number or another sign', () => {
    const others = [
      'Hello & thank',
      'Hello thanks',
      'Hello and thanks',
      'Hello & thanks!',
      'hello & thanks',
      '',
    ]
    for (const other of others) expect(isSameWords('Hello & thanks', other)).toBe(false)
    expect(isSameWords('Open until 5', 'Open until 6')).toBe(false)
    expect(isSameWords('Call us', 'Callus')).toBe(false)
  })

  test('never come from a reference that stands for no character', () => {
    for (const text of ['&#xd800;', '&#0;', '&#9999999;', '&nothing;', '&;', '&#;', 'R&D;', 'AT&T'])
      expect(withoutReferences(text)).toBe(text)
  })

  test('are storable whatever the text has', () => {
    expect(bareWords('a\0b\ud800c\r\n d')).toBe('ab\ufffdc d')
  })

  test('are found in linear time in a text of nothing but escapes', () => {
    const text = `&${'amp;'.repeat(200_000)}`
    const began = performance.now()
    bareWords(text)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
