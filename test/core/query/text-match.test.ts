import { expect, test } from 'bun:test'
import { textPattern } from '../../../core/query/text-match'

const matches = (op: 'contains' | 'startsWith', text: string, wanted: string) =>
  new RegExp(textPattern(op, wanted), 'u').test(text)

test('a pattern is literal and spells out the letters that fold together', () => {
  expect(textPattern('contains', 'a.b')).toBe('[aA]\\.[bB]')
  expect(textPattern('startsWith', 'ß1')).toBe('^[ßẞ]1')
  expect(textPattern('contains', 'İ')).toBe('İ')
  expect(textPattern('contains', '𐐨')).toBe('(?:𐐨|𐐀)')
  expect(textPattern('contains', '\\^$.*+?()[]{}|/')).toBe('\\\\\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/')
  expect(matches('contains', 'a KELVIN', 'kelvin')).toBe(true)
  expect(matches('contains', '𐐨', '𐐀')).toBe(true)
  expect(matches('contains', 'i', 'İ')).toBe(false)
  expect(matches('contains', 'ss', 'ß')).toBe(false)
  expect(matches('startsWith', 'xa', 'a')).toBe(false)
})

test('a pattern matches what the engine’s own folding matches, for every cased letter', () => {
  for (let point = 0x20; point < 0x2000; point++) {
    const letter = String.fromCodePoint(point)
    if (/[\\^$.*+?()[\]{}|/]/.test(letter)) continue
    const pattern = new RegExp(`^${textPattern('contains', letter)}$`, 'u')
    for (const other of new Set([letter.toLowerCase(), letter.toUpperCase(), letter])) {
      if ([...other].length !== 1) continue
      expect([letter, other, pattern.test(other)]).toEqual([
        letter,
        other,
        new RegExp(`^${letter}$`, 'iu').test(other),
      ])
    }
  }
})
