import { describe, expect, test } from 'bun:test'
import { forbiddenBy } from '../../../../plugins/traffic/look/csp'

const script = 'https://hits.example.net/s/key1.js'
const ask = (policy: string | string[], over: { page?: string; address?: string; nonce?: string } = {}) =>
  forbiddenBy({
    policies: [policy].flat(),
    kind: 'script',
    address: new URL(over.address ?? script),
    page: new URL(over.page ?? 'https://shop.example/'),
    ...(over.nonce ? { nonce: over.nonce } : {}),
  })

describe('a content security policy lets a script through', () => {
  const open: readonly [policy: string, over?: Parameters<typeof ask>[1]][] = [
    [''],
    ["img-src 'none'"],
    ['script-src *'],
    ['script-src https:'],
    ['script-src http:'],
    ['script-src https://hits.example.net'],
    ['SCRIPT-SRC HTTPS://HITS.EXAMPLE.NET'],
    ['script-src hits.example.net'],
    ['script-src hits.example.net:443'],
    ['script-src hits.example.net:*', { address: 'https://hits.example.net:8443/s/key1.js' }],
    ['script-src *.example.net'],
    ['script-src https://hits.example.net/s/'],
    ['script-src https://hits.example.net/s/key1.js'],
    ["default-src 'none'; script-src https://hits.example.net"],
    ["script-src 'none'; script-src-elem https://hits.example.net"],
    ["script-src 'none' https://hits.example.net"],
    ["default-src 'self'", { address: 'https://shop.example/s/key1.js' }],
    ["default-src 'self'", { page: 'http://shop.example/', address: 'https://shop.example/s/key1.js' }],
    ["script-src 'nonce-abc' 'strict-dynamic'", { nonce: 'abc' }],
    ['script-src hits.example.net', { page: 'http://shop.example/' }],
  ]
  for (const [policy, over] of open)
    test(`${policy || 'without a word'} ${over ? JSON.stringify(over) : ''}`, () => {
      expect(ask(policy, over)).toBeNull()
    })
})

describe('and forbids it, by the directive that says so', () => {
  const shut: readonly [policy: string, directive: string, over?: Parameters<typeof ask>[1]][] = [
    ["default-src 'self'", "default-src 'self'"],
    ["script-src 'none'", "script-src 'none'"],
    ['script-src', 'script-src'],
    ["img-src *; script-src 'self' https://cdn.example; x", "script-src 'self' https://cdn.example"],
    ['script-src https://example.net', 'script-src https://example.net'],
    ['script-src https://*.hits.example.net', 'script-src https://*.hits.example.net'],
    ['script-src https://hits.example.net.evil.example', 'script-src https://hits.example.net.evil.example'],
    ['script-src https://hits.example.net/other/', 'script-src https://hits.example.net/other/'],
    ['script-src https://hits.example.net:8443', 'script-src https://hits.example.net:8443'],
    ['script-src http:', 'script-src http:', { address: 'ftp://hits.example.net/s/key1.js' }],
    ['script-src hits.example.net', 'script-src hits.example.net', { address: 'http://hits.example.net/x' }],
    ["script-src 'nonce-abc'", "script-src 'nonce-abc'", { nonce: 'other' }],
    [
      "script-src 'strict-dynamic' https://hits.example.net",
      "script-src 'strict-dynamic' https://hits.example.net",
    ],
    ["script-src 'self'", "script-src 'self'", { address: 'https://www.shop.example/s/key1.js' }],
    ["script-src 'none'; script-src *", "script-src 'none'"],
  ]
  for (const [policy, directive, over] of shut)
    test(`${policy} ${over ? JSON.stringify(over) : ''}`, () => {
      expect(ask(policy, over)).toBe(directive)
    })
  test('where one of several policies does', () => {
    expect(ask(["script-src *, script-src 'self'"])).toBe("script-src 'self'")
    expect(ask(['script-src *', "default-src 'none'"])).toBe("default-src 'none'")
  })
})

test('what a page sends is asked for in connect-src, never in script-src', () => {
  const connect = (policy: string) =>
    forbiddenBy({
      policies: [policy],
      kind: 'connect',
      address: new URL('https://hits.example.net/s/key1'),
      page: new URL('https://shop.example/'),
    })
  expect(connect("script-src 'none'")).toBeNull()
  expect(connect("default-src 'none'; connect-src https://hits.example.net")).toBeNull()
  expect(connect('default-src https://hits.example.net; connect-src https://cdn.example')).toBe(
    'connect-src https://cdn.example',
  )
})
