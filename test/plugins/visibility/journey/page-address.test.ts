import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isPage, pageAddress } from '../../../../plugins/visibility/journey/page-address'

test.each([
  ['/services', null, '/services'],
  ['/services/', null, '/services'],
  ['/services?utm_source=openai#top', null, '/services'],
  ['/', null, '/'],
  ['https://acme.example/a///', 'acme.example', '/a'],
  ['https://acme.example///', 'acme.example', '/'],
  ['https://www.Acme.example/Services/?a=1', 'acme.example', '/Services'],
  ['http://acme.example', 'acme.example', '/'],
  ['/a b', null, '/a%20b'],
])('%s is the page %s %s', (given, domain, path) => {
  expect(pageAddress(given)).toEqual({ domain, path })
})

test.each([
  'services',
  '//acme.example/a',
  'ftp://acme.example/a',
  'javascript:alert(1)',
  'mailto:a@acme.example',
  '',
])('%s is no page', (given) => expect(pageAddress(given)).toBeNull())

test('a path alone means pages of the own site; an address means pages of its host', () => {
  const cited = (url: string, is_own = true) => ({ url, is_own })
  const own = { domain: null, path: '/a' }
  const there = { domain: 'acme.example', path: '/a' }
  expect(isPage(own, cited('https://acme.example/a/?x=1'))).toBe(true)
  expect(isPage(own, cited('https://guide.example/a', false))).toBe(false)
  expect(isPage(there, cited('https://www.acme.example/a', false))).toBe(true)
  expect(isPage(there, cited('https://guide.example/a'))).toBe(false)
  expect(isPage(own, cited('https://acme.example/b'))).toBe(false)
  expect(isPage(own, { is_own: true })).toBe(false)
})

test('the address of a page is the address of itself', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const page = pageAddress(url)
      if (!page) throw new Error(url)
      expect(pageAddress(`https://${page.domain}${page.path}`)).toEqual(page)
      expect(isPage(page, { url, is_own: false })).toBe(true)
    }),
    { numRuns: 100 },
  )
})
