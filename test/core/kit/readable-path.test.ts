import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { escapedPath } from '../../../core/contracts/escaped-path'
import { readablePath } from '../../../core/kit/readable-path'

test.each([
  '/größe/über-uns',
  '/услуги/цены',
  '/サービス/料金・案内',
  '/خدمات/أسعار',
  '/שירותים',
  '/सेवाएँ/क़ीमत',
  '/ราคา/บ้านที่',
  '/🎉/l’été–2026',
  '/plain',
])('letters of other alphabets are decoded: %s', (path) => {
  expect(readablePath(escapedPath(path))).toBe(path)
})

describe('what could deceive a reader stays encoded:', () => {
  test.each([
    ['a control character', '/a\u0000\u000a\u0085b'],
    ['a direction', '/a\u202e\u2066\u2069\u200e\u200f\u061cb'],
    ['an invisible character', '/a\u200b\u00ad\ufeff\u3164\u115f\u2800\u{e0041}b'],
    ['a space', '/a \u00a0\u2003\u3000\u2028b'],
    ['a sign that looks like a part of an address', '/a\uff0f\uff1f\uff03\uff0e\u2044\u2215b'],
    ['a mark without a letter', '/\u0338a'],
    ['piled marks', `/%61${'\u0337'}`],
    ['a character without meaning', '/\ue000\u{10ffff}'],
    ['ASCII', '/%3Cscript%3E%22%5C%25%2F%3F%23%0D%0A'],
  ])('%s', (_, path) => expect(readablePath(escapedPath(path))).toBe(escapedPath(path)))

  test('bytes that are no text, beside letters that are', () => {
    expect(readablePath('/caf%E9/gr%C3%B6%C3%9Fe/%C3%28/%ED%A0%80/%C0%AF')).toBe(
      '/caf%E9/größe/%C3%28/%ED%A0%80/%C0%AF',
    )
    expect(readablePath('/%C3%B6%CC%B7%CC%B7%CC%B7')).toBe('/ö\u0337\u0337%CC%B7')
  })
})

test('a readable path names the same page, and its escapes are as before', () => {
  const path = fc
    .array(
      fc.oneof(fc.constantFrom('/', '%E9', '%2F', '%25', '\u202e', 'ä', 'ا'), fc.string({ unit: 'binary' })),
    )
    .map((parts) => escapedPath(`/${parts.join('').toWellFormed()}`))
  fc.assert(fc.property(path, (one) => expect(escapedPath(readablePath(one))).toBe(one)))
})
