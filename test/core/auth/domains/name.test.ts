import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { looksLike, mixesScripts } from '../../../../core/auth/domains/look-alike'
import { readDomain } from '../../../../core/auth/domains/name'

const own = ['app.renown.example', 'localhost']

test.each([
  ['reviews.agency.example', 'reviews.agency.example'],
  [' Reviews.Agency.Example. ', 'reviews.agency.example'],
  ['https://reviews.agency.example/', 'reviews.agency.example'],
  ['HTTP://reviews.agency.example', 'reviews.agency.example'],
  ['Bücher.example', 'xn--bcher-kva.example'],
  ['faß.example', 'xn--fa-hia.example'],
  ['ｒeviews.example', 'reviews.example'],
  ['отзывы.example', 'xn--b1ajuq0cb.example'],
  ['口コミ.example', 'xn--tckue253j.example'],
  ['agency.co.uk', 'agency.co.uk'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ['agency.github.io', 'agency.github.io'],
  ['reviews.agency.internal', 'reviews.agency.internal'],
  ['renown.example', 'renown.example'],
  ['reviews.app.renown.example', 'reviews.app.renown.example'],
])('%p is the domain %s', (typed, name) => expect(readDomain(typed, own)).toBe(name))

describe('what can be nobody’s domain is refused by name', () => {
  const refused: readonly [string, string][] = [
    ...[
      '',
      ' ',
      'a b.example',
      'reviews..example',
      '-a.example',
      'a-.example',
      'a_b.example',
      '*.example.com',
    ].map((typed) => [typed, 'host name'] as [string, string]),
    ...[
      'agency.example:8443',
      'agency.example/path',
      'agency.example?x',
      'agency.example#x',
      'u@agency.example',
    ].map((typed) => [typed, 'host name'] as [string, string]),
    ...['localhost', 'x.localhost', '127.0.0.1', '[::1]', '2130706433', '10.0.0.1', '[2001:db8::1]'].map(
      (typed) => [typed, 'not an IP address'] as [string, string],
    ),
    ['::1', 'such as'],
    ...['com', 'co.uk', 'github.io', 'рф', 'intranet'].map(
      (typed) => [typed, 'public suffix'] as [string, string],
    ),
    ['APP.renown.example', 'hosts of this installation'],
    ['аpp.renown.example', 'one script'],
    ['app.ren0wn.example', 'taken for a host'],
    ['app.renovvn.example', 'taken for a host'],
    ['app.renówn.example', 'taken for a host'],
    ['арр.renown.example', 'taken for a host'],
    [`${'a'.repeat(64)}.example`, 'host name'],
    [`${'a.'.repeat(130)}example`, 'host name'],
  ]
  test.each(refused)('%p', (typed, words) => {
    expect(() => readDomain(typed, own)).toThrow(new RegExp(words))
  })
})

test('whatever is typed is refused as a field, or is a plain host name that reads as itself', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.domain(),
    fc.domain().map((name) => name.replace('a', 'а')),
    fc.webUrl(),
  )
  fc.assert(
    fc.property(typed, (text) => {
      try {
        const name = readDomain(text, own)
        expect(name).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
        expect(readDomain(name, own)).toBe(name)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_field' })
      }
    }),
    { numRuns: 500 },
  )
})

test('names that are read as each other are found, and others are not', () => {
  const pairs = [
    ['modern-reviews.example', 'rnodem-reviews.example'],
    ['paypal.example', 'paypaI.example'.toLowerCase()],
    ['apple.example', 'xn--80ak6aa92e.example'],
    ['agency.example', 'agеncy.example'],
  ] as const
  for (const [a, b] of pairs) expect(looksLike(a, b)).toBe(true)
  expect(looksLike('agency.example', 'agency.example')).toBe(false)
  expect(looksLike('agency.example', 'agencies.example')).toBe(false)
  expect(looksLike('north.example', 'south.example')).toBe(false)
})

test('a word in two scripts is told from words in one each, and from Japanese', () => {
  for (const name of ['pаypal.example', 'αbc.example', 'aрple.co']) expect(mixesScripts(name)).toBe(true)
  for (const name of ['отзывы.example', 'bücher.example', '口コミreview.example', 'agency.example']) {
    expect(mixesScripts(name)).toBe(false)
  }
})

test('a refused name is told by its field, its code and a sentence', () => {
  const refused = (() => {
    try {
      return readDomain('com', own)
    } catch (error) {
      return error
    }
  })()
  const why = 'a name below a public suffix such as .com or .co.uk, not the suffix itself'
  expect(refused).toMatchObject({
    code: 'invalid_field',
    message: `The domain must be ${why}.`,
    details: { errors: [{ pointer: '/domain', code: 'invalid', message: `must be ${why}` }] },
  })
})
