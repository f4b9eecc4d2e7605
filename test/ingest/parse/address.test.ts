import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import {
  type Address,
  contains,
  formatPrefix,
  isPublic,
  parseAddress,
  parsePrefix,
} from '../../../ingest/parse/address'

const numRuns = process.env.RENOWN_LONG === '1' ? 100_000 : 2_000
const v4 = (text: string) => {
  const address = parseAddress(text)
  return address?.v4 ? address.d : null
}
const v6 = (text: string) => {
  const address = parseAddress(text)
  return address && !address.v4 ? hex(address) : null
}
const hex = ({ a, b, c, d }: Address) =>
  [a, b, c, d].map((word) => word.toString(16).padStart(8, '0')).join('')

test('a text of more than 64 characters is no address, space around it aside', () => {
  expect(v4(`${' '.repeat(80)}192.0.2.1 `)).toBe(0xc0000201)
  const zone = (length: number) => parseAddress(`fe80::1%${'z'.repeat(length - 8)}`)
  expect([zone(64) === null, zone(65)]).toEqual([false, null])
})

describe('IPv4', () => {
  test('is four plain decimals', () => {
    expect(v4('192.0.2.1')).toBe(0xc0000201)
    expect(v4('255.255.255.255')).toBe(0xffffffff)
    expect(v4('0.0.0.0')).toBe(0)
  })
  const refused = [
    '010.1.1.1',
    '1.2.3',
    '0x7f.1',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.',
    '.1.2.3',
    '1..2.3',
    '1.2.3.4a',
    '00.0.0.0',
    '1.2.3.4/24',
    '-',
    '',
    '2130706433',
    '1.2.3.4:',
    '1.2.3.4:123456',
    '١.2.3.4',
  ]
  for (const text of refused) test(`is not ${text || 'empty'}`, () => expect(parseAddress(text)).toBeNull())
  test('may bear space, brackets and a port', () => {
    expect(v4(' 192.0.2.1 ')).toBe(0xc0000201)
    expect(v4('192.0.2.1:443')).toBe(0xc0000201)
  })
})

describe('IPv6', () => {
  test('is RFC 4291 text in any spelling', () => {
    expect(v6('2001:db8::1')).toBe('20010db8000000000000000000000001')
    expect(v6('2001:0DB8:0:0:0:0:0:1')).toBe('20010db8000000000000000000000001')
    expect(v6('::')).toBe('0'.repeat(32))
    expect(v6('1::')).toBe(`0001${'0'.repeat(28)}`)
    expect(v6('64:ff9b::192.0.2.1')).toBe('0064ff9b0000000000000000c0000201')
  })
  test('may bear brackets, a port and a zone', () => {
    expect(v6('[2001:db8::1]:443')).toBe(v6('2001:db8::1'))
    expect(v6('[2001:db8::1]')).toBe(v6('2001:db8::1'))
    expect(v6('fe80::1%eth0')).toBe(v6('fe80::1'))
  })
  test('that maps an IPv4 address is that address', () => {
    expect(v4('::ffff:192.0.2.1')).toBe(0xc0000201)
    expect(v4('::ffff:c000:201')).toBe(0xc0000201)
    expect(v4('[::FFFF:192.0.2.1]:80')).toBe(0xc0000201)
  })
  const refused = [
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    'g::',
    '::1.2.3',
    '::01.2.3.4',
    '1.2.3.4::',
    '[2001:db8::1',
    '2001:db8::1]',
    '[2001:db8::1]443',
    '2001:db8::1%',
    '::ffff:1.2.3.4:443',
  ]
  for (const text of refused) test(`is not ${text}`, () => expect(parseAddress(text)).toBeNull())

  test('survives every way of writing it', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 8, maxLength: 8 }),
        fc.nat(7),
        fc.nat(8),
        (groups, from, length) => {
          const zeroed = groups.map((value, at) => (at >= from && at < from + length ? 0 : value))
          const full = zeroed.map((value) => value.toString(16)).join(':')
          const head = zeroed.slice(0, from).map((value) => value.toString(16))
          const tail = zeroed.slice(from + length).map((value) => value.toString(16))
          const short = length > 0 ? `${head.join(':')}::${tail.join(':')}` : full
          expect(parseAddress(short)).toEqual(parseAddress(full))
          expect(parseAddress(full.toUpperCase())).toEqual(parseAddress(full))
        },
      ),
      { numRuns },
    )
  })
})

test('reading never throws', () => {
  const piece = fc.constantFrom(
    '1',
    '255',
    '.',
    ':',
    '::',
    '[',
    ']',
    '%',
    'ffff',
    '/',
    ' ',
    '0',
    'x',
    '\u200b',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      parseAddress(pieces.join(''))
      parsePrefix(pieces.join(''))
    }),
    { numRuns },
  )
})

test('what is an address is what the platform takes for one', () => {
  const piece = fc.constantFrom(
    '0',
    '1',
    '12',
    '255',
    '256',
    'ffff',
    'a',
    'F',
    ':',
    ':',
    '::',
    '.',
    '1.2.3.4',
    '00',
    'g',
  )
  const text = fc.array(piece, { maxLength: 18 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (address) => {
      // The platform knows no ports.
      if (/^[^:]*:\d*$/.test(address)) return
      expect([address, parseAddress(address) !== null]).toEqual([address, isIP(address) !== 0])
    }),
    { numRuns: numRuns * 5 },
  )
})

describe('a network', () => {
  test('has its host bits cleared', () => {
    expect(formatPrefix(parsePrefix('192.0.2.77/24') as never)).toBe('192.0.2.0/24')
    expect(formatPrefix(parsePrefix('2001:db8::ff/120') as never)).toBe('2001:db8:0:0:0:0:0:0/120')
    expect(formatPrefix(parsePrefix('192.0.2.1') as never)).toBe('192.0.2.1/32')
    expect(formatPrefix(parsePrefix('255.1.1.1/0') as never)).toBe('0.0.0.0/0')
    expect(formatPrefix(parsePrefix('::ffff:192.0.2.77/120') as never)).toBe('192.0.2.0/24')
  })
  test('is refused when it cannot be one', () => {
    for (const text of [
      '192.0.2.0/33',
      '192.0.2.0/',
      '192.0.2.0/+8',
      '192.0.2.0/08',
      '2001:db8::/129',
      '1.2.3/8',
    ])
      expect(parsePrefix(text)).toBeNull()
    for (const text of ['::ffff:1.2.3.4/64', 'fe80::1%eth0/64', '192.0.2.1:80/32', '', '/8'])
      expect(parsePrefix(text)).toBeNull()
  })
  test('holds its own addresses and no others', () => {
    const prefix = parsePrefix('192.0.2.128/25') as never
    expect(contains(prefix, parseAddress('192.0.2.129') as never)).toBe(true)
    expect(contains(prefix, parseAddress('192.0.2.127') as never)).toBe(false)
    expect(contains(prefix, parseAddress('::c000:281') as never)).toBe(false)
  })
})

test('private, reserved and special-purpose addresses are not public', () => {
  const closed =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.1.1 172.31.255.255 192.168.1.1 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 ff02::1 2001:db8::1 2001::1 2002:c000:201::1 3fff::1 64:ff9b::1 ::ffff:10.0.0.1'
  for (const text of closed.split(' '))
    expect([text, isPublic(parseAddress(text) as Address)]).toEqual([text, false])
  for (const text of [
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00::1',
  ])
    expect([text, isPublic(parseAddress(text) as Address)]).toEqual([text, true])
})
