import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addressBucket } from '../../../core/requests/client-address'
import { authenticated, originOf, readTarget, requestIdOf } from '../../../core/requests/request'

const runs = process.env.RENOWN_LONG ? 100_000 : 2_000

/** Where the router looks for the path. */
const routed = (url: string) => {
  const start = url.indexOf('/', 11)
  const end = url.indexOf('?', start + 1)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

describe('the target of a request', () => {
  const piece = fc.constantFrom(
    '/',
    'api',
    'entities',
    'x',
    '..',
    '.',
    '%2f',
    '%5c',
    '%',
    '%zz',
    '?',
    '#',
    ':',
    '@',
    ';',
    '//',
    'é',
    '\\',
  )
  const host = fc.oneof(
    fc.stringMatching(/^[a-z0-9.:@[\]-]{0,8}$/),
    fc.constantFrom('a', 'ab', 'app', 'localhost:3000', '[::1]:3000', 'h:99999', 'u@h'),
  )

  test('is routed by the path that was checked, whatever the host and the path are', () => {
    fc.assert(
      fc.property(
        host,
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom('http', 'https'),
        (name, parts, scheme) => {
          let request: Request
          try {
            request = new Request(`${scheme}://${name}/${parts.join('')}`)
          } catch {
            return
          }
          const target = readTarget(request)
          if (target.fault !== undefined) return
          expect(routed(target.request.url)).toBe(target.path)
          expect(new URL(target.request.url).pathname).toBe(target.path)
        },
      ),
      { numRuns: runs },
    )
  })

  test('keeps method, headers and body where the host had to be made longer', async () => {
    const short = new Request('http://a/api/functions/x?y=1', {
      method: 'POST',
      headers: { 'x-a': 'b' },
      body: '{"c":1}',
    })
    const { request, path, search } = readTarget(short)
    expect(request.url).toBe('http://localhost/api/functions/x?y=1')
    expect([path, search, request.method, request.headers.get('x-a')]).toEqual([
      '/api/functions/x',
      'y=1',
      'POST',
      'b',
    ])
    expect(await request.text()).toBe('{"c":1}')
  })
})

test("a request whose credential was not recognised is nobody's; one that was is let through", () => {
  const state = { id: 'x', path: '/api/surface', search: '', address: () => null, host: null, headers: {} }
  expect(() => authenticated(state)).toThrow('A bearer token is required')
  const known = { ...state, principal: { id: 'agent_key:x' } as never }
  expect(authenticated(known)).toBe(known)
})

test('failures are counted by IPv4 address and by IPv6 /64', () => {
  expect(addressBucket('203.0.113.7')).toBe('203.0.113.7')
  expect(addressBucket('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(addressBucket('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(addressBucket('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(addressBucket('::1')).toBe('0:0:0:0::/64')
  expect(addressBucket(null)).toBe('unknown')
})

describe('the address of a request', () => {
  // A Request made here would mend its address: the server hands over what came on the wire.
  const wire = (url: string) => readTarget({ url } as Request)

  test('is split into path and search', () => {
    expect(wire('http://localhost:3000/api/x?a=1?b#')).toMatchObject({ path: '/api/x', search: 'a=1?b#' })
    expect(wire('http://localhost:3000/api/x?a=1')).toMatchObject({ path: '/api/x', search: 'a=1' })
    expect(wire('http://localhost:3000/api/x')).toEqual({
      request: expect.anything(),
      path: '/api/x',
      search: '',
    })
    expect(wire('http://localhost:3000/?')).toMatchObject({ path: '/', search: '' })
  })

  test('says what is wrong with it', () => {
    for (const [url, fault] of [
      ['http:/x', 'The Host header is malformed.'],
      ['nothing', 'The Host header is malformed.'],
      ['http://localhost', 'The Host header is malformed.'],
      ['http:///x', 'The Host header is malformed.'],
      ['http://u@localhost/x', 'The Host header is malformed.'],
      ['http://local host/x', 'The Host header is malformed.'],
      ['http://localhost:/x', 'The Host header is malformed.'],
      ['http://localhost:65536/x', 'The Host header is malformed.'],
      ['http://localhost:123456/x', 'The Host header is malformed.'],
      ['http://[::g]/xxxxxx', 'The Host header is malformed.'],
      ['http://localhost/x#y', 'The address contains a fragment.'],
      ['http://localhost/x//y', 'The path contains an empty segment.'],
      ['http://localhost/x\\y', 'The path contains a backslash.'],
      ['http://localhost/x%', 'The path contains a malformed escape.'],
      ['http://localhost/x%g0', 'The path contains a malformed escape.'],
      ['http://localhost/x%0g', 'The path contains a malformed escape.'],
      ['http://localhost/x%2fy', 'The path contains an escaped slash, backslash or NUL.'],
      ['http://localhost/x%2Fy', 'The path contains an escaped slash, backslash or NUL.'],
      ['http://localhost/x%5c', 'The path contains an escaped slash, backslash or NUL.'],
      ['http://localhost/x%00', 'The path contains an escaped slash, backslash or NUL.'],
      ['http://localhost/x%ff', 'The path is not UTF-8.'],
    ] as const)
      expect([url, wire(url).fault]).toEqual([url, fault])
    for (const url of [
      'http://localhost:65535/x',
      'http://localhost/%c3%a9%20%41',
      'http://localhost/x?a=//\\%2f%zz',
      'https://app.example/x',
      'http://[::1]:3000/x',
      'http://[2001:DB8::1]/x',
      'http://A_b-c.d/x',
    ])
      expect([url, wire(url).fault]).toEqual([url, undefined])
  })

  test('of a host with fewer than four characters gets a longer host, and no other', () => {
    const hostOf = (url: string) => new URL(readTarget(new Request(url)).request.url).host
    expect(hostOf('http://abc/x')).toBe('localhost')
    expect(hostOf('http://abcd/x')).toBe('abcd')
    expect(hostOf('https://ab/x')).toBe('localhost')
    expect(hostOf('https://abc/x')).toBe('abc')
  })
})

test('a request id of the caller is kept where it has 8 to 64 plain characters and is no key', () => {
  const idOf = (id?: string) =>
    requestIdOf(new Request('http://x/', id === undefined ? {} : { headers: { 'x-request-id': id } }))
  for (const id of ['a'.repeat(8), 'a'.repeat(64), 'aZ09_-aZ', 'xrnw_key_1']) expect(idOf(id)).toBe(id)
  for (const id of [
    'a'.repeat(7),
    'a'.repeat(65),
    'aaaa aaaa',
    'aaaaaaaa.',
    'rnw_key_aaaaaaaa',
    '$aaaaaaaa',
  ]) {
    expect(idOf(id)).not.toBe(id)
    expect(idOf(id)).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(idOf()).toMatch(/^[0-9a-f-]{36}$/)
})

test('a caller knows the product by the domain that was asked, on any other host by the main one', () => {
  const host = (kind: string) => ({ host: { kind, origin: 'https://brand.example' } }) as never
  expect(originOf(host('white_label'), 'https://main.example')).toBe('https://brand.example')
  expect(originOf(host('main'), 'https://main.example')).toBe('https://main.example')
  expect(originOf({ host: null }, 'https://main.example')).toBe('https://main.example')
})

test('a request without a path or a scheme has the root as its target, and a fault', () => {
  const fault = 'The Host header is malformed.'
  for (const url of ['http://host', 'host/path', '/path', 'host', ''])
    expect(readTarget({ url } as Request)).toEqual({
      request: { url } as Request,
      path: '/',
      search: '',
      fault,
    })
})
