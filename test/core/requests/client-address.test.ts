import { expect, test } from 'bun:test'
import { addressBucket, createClientAddress, createTrusted } from '../../../core/requests/client-address'

const from = (trusted: readonly string[], peer: string | null, forwarded?: string) => {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createClientAddress(trusted)(new Request('http://x/', { headers }), () => peer)()
}

test('without trusted proxies the peer is the caller, whatever a header says', () => {
  expect(from([], '203.0.113.1', '198.51.100.1')).toBe('203.0.113.1')
  expect(from(['10.0.0.1'], '10.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
  expect(from([], null, '198.51.100.1')).toBeNull()
})

test('behind trusted proxies the caller is the first address from the right that is none of them', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']
  for (const [peer, forwarded, address] of [
    ['10.1.1.1', '198.51.100.1', '198.51.100.1'],
    ['10.1.1.1', '198.51.100.1, 192.0.2.1', '198.51.100.1'],
    ['10.1.1.1', '198.51.100.9,198.51.100.1 , 10.0.0.2', '198.51.100.1'],
    ['10.1.1.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.1.1.1', undefined, '10.1.1.1'],
    ['10.1.1.1', '', '10.1.1.1'],
    ['10.1.1.1', 'unknown', '10.1.1.1'],
    ['10.1.1.1', '198.51.100.1, unknown, 10.0.0.2', '10.0.0.2'],
    ['::ffff:10.1.1.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8::7', '2001:4860::1', '2001:4860::1'],
    ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['192.0.2.2', '198.51.100.1', '192.0.2.2'],
  ] as const)
    expect([peer, forwarded, from(trusted, peer, forwarded)]).toEqual([peer, forwarded, address])
  expect(from(trusted, null, '198.51.100.1')).toBeNull()
})

test('a range is an address with or without bits; what is none is refused by name', () => {
  const isTrusted = createTrusted(['192.0.2.1', '2001:db8::1', '10.0.0.0/31'])
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '10.0.0.1'])
    expect([address, isTrusted(address)]).toEqual([address, true])
  for (const address of ['192.0.2.0', '192.0.2.2', '2001:db8::', '2001:db8::2', '10.0.0.2', 'x', '', null])
    expect([address, isTrusted(address)]).toEqual([address, false])
  expect(createTrusted([])('192.0.2.1')).toBe(false)
  expect(() => createTrusted(['proxy.example'])).toThrow(
    'TRUSTED_PROXIES: proxy.example is not an address range',
  )
})

test('an IPv6 caller is counted by its first four groups, shortened or not', () => {
  for (const [address, bucket] of [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3::6', '2001:db8:1:2::/64'],
    ['2001:db8:1::6', '2001:db8:1:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['198.51.100.1', '198.51.100.1'],
  ] as const)
    expect([address, addressBucket(address)]).toEqual([address, bucket])
  expect(addressBucket('unknown host')).toBe('unknown host')
  expect(addressBucket(null)).toBe('unknown')
})
