import { describe, expect, test } from 'bun:test'
import { addressesIn, telephonesIn, unfitText } from '../../../core/kit/stated-contacts'

describe('addressesIn', () => {
  const found = (text: string) =>
    addressesIn(text).map(({ kind, written, host }) => (kind === 'mail' ? `mail ${written}` : `web ${host}`))

  test.each([
    ['See https://Acme.example/boilers.', ['web acme.example']],
    ['See acme.com, evil.com!', ['web acme.com', 'web evil.com']],
    ['See acme.com,evil.com', ['web acme.com', 'web evil.com']],
    ['(www.acme.example)', ['web www.acme.example']],
    ['https://acme.com@evil.com/', ['web acme.com@evil.com']],
    ['ftp://files.acme.example/x', ['web files.acme.example']],
    ['tel://acme', ['web acme']],
    ['acme.com/?next=https://evil.com', ['web acme.com']],
    ['Write to Ann@acme.example.', ['mail Ann@acme.example']],
    ['Ask @ann at the shop, e.g. today... or 3.5 hours later', []],
    ['Version 1.2.3 of Node.js is out', []],
  ])('finds the addresses of %s', (text, addresses) => {
    expect(found(text)).toEqual(addresses)
  })
})

describe('telephonesIn', () => {
  test.each([
    ['Call 0113 496 0000 today', ['0113 496 0000']],
    ['Tel.0113/4960000', ['0113/4960000']],
    ['+44 (0)113 496-0000', ['+44 (0)113 496-0000']],
    ['Appelez le 01.23.45.67.89', ['01.23.45.67.89']],
    ['01.23.45.67.89 ou 01-23-45-67-89', ['01.23.45.67.89', '01-23-45-67-89']],
    ['Open since 01.02.2026', []],
    ['From 01.02.2026 to 03.04.2026', []],
    ['From 12/01/2026 10:00 to 18:00', []],
    ['10 000 customers', []],
  ])('finds the numbers of %s', (text, numbers) => {
    expect(telephonesIn(text)).toEqual(numbers)
  })
})

test.each([
  [' ', 'it is empty'],
  ['x'.repeat(11), 'it has more than 10 characters'],
  ['Hi\u202e', 'it has characters that cannot be seen'],
  ['As an AI', 'it speaks of the machine that wrote it'],
  ['Hello', null],
])('says why %j is unfit', (text, reason) => {
  expect(unfitText(text, 10)).toBe(reason)
})
