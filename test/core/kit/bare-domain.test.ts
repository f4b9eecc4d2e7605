import { expect, test } from 'bun:test'
import { normaliseDomain } from '../../../core/kit/bare-domain'

test.each([
  ['example.com', 'example.com'],
  [' Example.COM. ', 'example.com'],
  ['https://www.example.com:8443/shop?a=1#b', 'example.com'],
  ['www.co', 'www.co'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['a.b.example.co.uk', 'a.b.example.co.uk'],
  ['localhost', 'localhost'],
  ['http://localhost:3000', 'localhost'],
  ['example', null],
  ['', null],
  ['ftp://example.com', null],
  ['user@example.com', null],
  ['exa mple.com', null],
  ['192.0.2.7', null],
  ['[2001:db8::1]', null],
  ['-a.example', null],
  [`${'a'.repeat(64)}.example`, null],
])('the domain in %j is %j', (typed, domain) => {
  expect(normaliseDomain(typed)).toBe(domain)
})
