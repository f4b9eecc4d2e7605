import { expect, test } from 'bun:test'
import { sidesOf } from '../../../../plugins/reports/branding/logo-limits'
import { breakable, breakableCell, clean, withoutMarks } from '../../../../plugins/reports/pdf/clean-text'

test('a text of a PDF has no signs that it cannot show, and none that turn other text', () => {
  expect(clean('a\tb\r\n\u2028c\u0000\u202ed\u200b\ufeff\ud800e')).toBe('a b cd\ufffde')
  expect(withoutMarks('e\u0301 x\u0323\u0301 \u200c\u200d')).toBe('\u00e9 x ')
})

test('a long word may break after twelve letters in a line and six in a cell, and a short one nowhere', () => {
  const broken = (text: string) => text.split('\u200b').map((part) => part.length)
  expect(broken(breakable('a'.repeat(24)))).toEqual([24])
  expect(broken(breakable('a'.repeat(25)))).toEqual([12, 12, 1])
  expect(broken(breakableCell('a'.repeat(15)))).toEqual([15])
  expect(broken(breakableCell('a'.repeat(16)))).toEqual([6, 6, 4])
  expect(breakable(`${'a'.repeat(20)} ${'b'.repeat(20)}`)).not.toContain('\u200b')
  expect(breakableCell('ا'.repeat(40))).not.toContain('\u200b')
})

test('a logo has sides of 16 to 2,000 pixels and two million at most', () => {
  expect(sidesOf(16, 2_000)).toEqual({ width: 16, height: 2_000 })
  expect(sidesOf(1_000, 2_000)).toEqual({ width: 1_000, height: 2_000 })
  for (const [width, height] of [
    [15, 100],
    [100, 15],
    [2_001, 100],
    [100, 2_001],
    [1_001, 2_000],
    [Number.NaN, 100],
  ] as const)
    expect(() => sidesOf(width, height)).toThrow(`${width} × ${height} pixels`)
})
