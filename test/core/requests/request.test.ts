import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addressBucket } from '../../../core/requests/client-address'
import { authenticated, readTarget, remember } from '../../../core/requests/request'

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

test("a request whose credential was not recognised is nobody's, though it came through the front", () => {
  const request = new Request('http://localhost/api/surface')
  expect(() => authenticated(request)).toThrow('A bearer token is required')
  remember(request, {
    id: 'x',
    path: '/api/surface',
    search: '',
    address: () => null,
    host: null,
    headers: {},
  })
  expect(() => authenticated(request)).toThrow('A bearer token is required')
})

test('failures are counted by IPv4 address and by IPv6 /64', () => {
  expect(addressBucket('203.0.113.7')).toBe('203.0.113.7')
  expect(addressBucket('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(addressBucket('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(addressBucket('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(addressBucket('::1')).toBe('0:0:0:0::/64')
  expect(addressBucket(null)).toBe('unknown')
})
