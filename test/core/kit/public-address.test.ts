import { describe, expect, test } from 'bun:test'
import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { isLoopbackAddress, isPublicAddress } from '../../../core/kit/public-address'

test.each([
  '1.1.1.1',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '169.253.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '168.63.129.15',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:200::1',
  '2400::1',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '2620:4f:8000::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700:4700::1111%1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '4000::1',
  '1000::1',
  '',
  'localhost',
  '0x7f.1',
  '2130706433',
  '127.1',
  '1.1.1.1.',
  ' 1.1.1.1',
  '1.1.1.1/32',
  '[::1]',
  '::1::',
])('%p is not', (address) => expect(isPublicAddress(address)).toBe(false))

describe('whatever is drawn', () => {
  const v4 = (n: number) => [24, 16, 8, 0].map((by) => (n >>> by) & 255).join('.')
  /** The registry as ranges of numbers, written down once more. */
  const ranges: readonly (readonly [string, string])[] = [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.31.196.0', '192.31.196.255'],
    ['192.52.193.0', '192.52.193.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['192.175.48.0', '192.175.48.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
  ]
  const numberOf = (address: string) => address.split('.').reduce((all, part) => all * 256 + Number(part), 0)
  const bounds = ranges.map(([from, to]) => [numberOf(from), numberOf(to)] as const)
  const isReserved = (n: number) => bounds.some(([from, to]) => n >= from && n <= to)
  const edges = bounds
    .flatMap(([from, to]) => [from - 1, from, to, to + 1])
    .filter((n) => n >= 0 && n < 2 ** 32)
  const address = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(...edges))

  test('an IPv4 address is public where no range of the registry holds it', () => {
    fc.assert(
      fc.property(address, (n) => isPublicAddress(v4(n)) === !isReserved(n)),
      { numRuns: 3_000 },
    )
  })

  test('no IPv6 form that carries an IPv4 address inside is public', () => {
    const hex = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`
    const forms = [
      (n: number) => `::ffff:${v4(n)}`,
      (n: number) => `::ffff:${hex(n)}`,
      (n: number) => `::${hex(n)}`,
      (n: number) => `::ffff:0:${hex(n)}`,
      (n: number) => `64:ff9b::${v4(n)}`,
      (n: number) => `64:ff9b:1::${hex(n)}`,
      (n: number) => `2002:${hex(n)}::1`,
      (n: number) => `2001:0:${hex(n)}::1`,
      (n: number) => `fe80::5efe:${hex(n)}`,
    ]
    fc.assert(
      fc.property(address, fc.constantFrom(...forms), (n, form) => {
        expect(isIPv6(form(n))).toBe(true)
        return !isPublicAddress(form(n))
      }),
      { numRuns: 3_000 },
    )
  })

  test('no text that is no address is public', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(text) || /^[\d.]+$|:/.test(text)))
  })
})

test('the machine itself is told from everything else', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1']) expect(isLoopbackAddress(address)).toBe(true)
  for (const address of ['10.0.0.1', '::', '128.0.0.1', '::2', 'localhost', '']) {
    expect(isLoopbackAddress(address)).toBe(false)
  }
})
