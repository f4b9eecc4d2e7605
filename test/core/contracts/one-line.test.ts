import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { oneLine } from 'renown/contracts'

test('a text becomes one line without what hides, turns or stacks', () => {
  expect(oneLine('  Claude\n\t Code ')).toBe('Claude Code')
  expect(oneLine('a\u202Eb\u200Bc\u0000d\u{E0041}e\uFFF9f\uFEFFg\u2028h')).toBe('abcdefg h')
  expect(oneLine('ab\uD800c')).toBe('abc')
  expect(oneLine(`Z${'\u0301'.repeat(500)}algo`)).toBe(`Z${'\u0301'.repeat(4)}algo`)
  expect(oneLine('Müller & Söhne 😀 שלום')).toBe('Müller & Söhne 😀 שלום')
  for (const none of [undefined, null, '', '\u200B \u202E']) expect(oneLine(none)).toBe('')
})

test('a text is cut between characters', () => {
  expect([...oneLine('😀'.repeat(500), 80)]).toHaveLength(80)
  expect(oneLine('abc def', 4)).toBe('abc')
})

test('whatever comes, what is left is short, whole, seen, and stays as it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      (text, max) => {
        const line = oneLine(text, max)
        expect([...line].length).toBeLessThanOrEqual(max)
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u)
        expect(oneLine(line, max)).toBe(line)
      },
    ),
  )
})
