import { expect, test } from 'bun:test'
import { isIPv4, isIPv6 } from 'node:net'
import {
  type Address,
  contains,
  formatPrefix,
  isPublic,
  parseAddress,
  parsePrefix,
} from '../../../ingest/parse/address'
import { nearMisses } from '../support/near-misses'

/** The bits of an address as the platform reads it, after what logs put around it. Null where it is none. */
function byPlatform(given: string): bigint | null {
  const text = given.trim()
  const dressed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
  if (dressed !== undefined) return v6Bits(dressed)
  const bare = text.split(':').length === 2 ? text.replace(/:\d{1,5}$/, '') : text
  if (isIPv4(bare)) return 0xffff_0000_0000n + v4Bits(bare)
  return v6Bits(text)
}

const v4Bits = (text: string) => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)

function v6Bits(zoned: string): bigint | null {
  const text = zoned.replace(/%.+$/, '')
  if (text.includes('%') || !isIPv6(text)) return null
  const last = /[^:]*\.[^:]*$/.exec(text)?.[0] ?? ''
  const words = last && `${(v4Bits(last) >> 16n).toString(16)}:${(v4Bits(last) & 0xffffn).toString(16)}`
  const [head = '', tail] = `${text.slice(0, text.length - last.length)}${words}`.split('::')
  const of = (part: string) => part.split(':').filter(Boolean)
  const given = [...of(head), ...of(tail ?? '')].length
  const all = [...of(head), ...Array<string>(tail === undefined ? 0 : 8 - given).fill('0'), ...of(tail ?? '')]
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

/** The bits of what was read, where IPv4 is mapped. */
function bitsOf(address: Address | null): bigint | null {
  if (!address) return null
  const { v4, a, b, c, d } = address
  if (v4 && (a || b || c)) return null
  return v4
    ? 0xffff_0000_0000n + BigInt(d)
    : [a, b, c, d].reduce((sum, word) => sum * 0x1_0000_0000n + BigInt(word), 0n)
}

const forms = [
  '192.0.2.1',
  '255.249.100.0',
  '9.99.199.255',
  '192.0.2.1:443',
  ' 192.0.2.1 ',
  '::',
  '1::',
  '::1',
  '1::8',
  '::2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7::',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4::6:7:8',
  '2001:0DB8:a:f:ffff:19aF:0:1',
  '64:ff9b::192.0.2.1',
  '1:2:3:4:5:6:77.77.88.88',
  '::1.2.3.4',
  '1:2:3:4:5::1.2.3.4',
  '::ffff:192.0.2.1',
  '::ffff:c000:201',
  '::fffe:192.0.2.1',
  '::1:ffff:192.0.2.1',
  '0:1::ffff:192.0.2.1',
  '1:0::ffff:192.0.2.1',
  '[2001:db8::1]',
  '[2001:db8::1]:443',
  '[::ffff:192.0.2.1]:65535',
  'fe80::1%eth0',
]

test.each(forms)('%s and every text one character away is read as the platform reads it', (form) => {
  const wrong = [...nearMisses(form, "/01239:;@A`afgFG.:[]% '")].filter(
    (text) => bitsOf(parseAddress(text)) !== byPlatform(text),
  )
  expect(wrong).toEqual([])
  expect(parseAddress(form)).not.toBeNull()
})

const parsed = (text: string) => parseAddress(text) as Address

/** Whether two addresses have their first bits in common. */
const hasFirst = (one: string, other: string, bits: number) => {
  const shift = BigInt(128 - bits)
  return (byPlatform(one) as bigint) >> shift === (byPlatform(other) as bigint) >> shift
}

test.each([
  ['255.255.255.255', 32, 32],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 128, 128],
])('a network of %s with each number of bits holds what has the same first bits', (text, width, most) => {
  const all = byPlatform(text) as bigint
  for (let bits = 0; bits <= most; bits++) {
    const prefix = parsePrefix(`${text}/${bits}`)
    if (!prefix) throw new Error(`${text}/${bits} is no network`)
    expect([bits, bitsOf(prefix.address)]).toEqual([
      bits,
      (width === 32 ? 0xffff_0000_0000n : 0n) +
        ((BigInt.asUintN(width, all) >> BigInt(width - bits)) << BigInt(width - bits)),
    ])
    expect(parsePrefix(formatPrefix(prefix))).toEqual(prefix)
    for (let flipped = 0; flipped < width; flipped++) {
      const other = all ^ (1n << BigInt(width - 1 - flipped))
      const words = Array.from({ length: 8 }, (_, at) =>
        ((other >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
      )
      const address = parsed(words.join(':'))
      expect([bits, flipped, contains(prefix, address)]).toEqual([bits, flipped, flipped >= bits])
    }
  }
  for (const bad of [
    `${text}/${most + 1}`,
    `${text}/-1`,
    `${text}/`,
    `${text}/01`,
    `${text}/1000`,
    `${text} /8`,
  ])
    expect([bad, parsePrefix(bad)]).toEqual([bad, null])
})

test('a mapped network counts its bits from the 96 in front', () => {
  for (let bits = 0; bits <= 130; bits++) {
    const prefix = parsePrefix(`::ffff:203.177.170.77/${bits}`)
    const wanted = bits < 96 || bits > 128 ? null : parsePrefix(`203.177.170.77/${bits - 96}`)
    expect([bits, prefix]).toEqual([bits, wanted])
  }
})

const special =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'
const edgesOf = (network: string) => {
  const [text = '', bits] = network.split('/')
  const first = Number(v4Bits(text))
  return [first - 1, first, first + 2 ** (32 - Number(bits)) - 1, first + 2 ** (32 - Number(bits))]
}
const written = (value: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')

test('the public addresses end where a special network of IANA begins', () => {
  const edges = special
    .split(' ')
    .flatMap(edgesOf)
    .filter((value) => value >= 0 && value < 2 ** 32)
  for (const edge of edges) {
    const text = written(edge)
    const isSpecial = special.split(' ').some((network) => {
      const [base = '', bits] = network.split('/')
      return hasFirst(base, text, 96 + Number(bits))
    })
    expect([text, isPublic(parsed(text))]).toEqual([text, !isSpecial])
  }
  const six = { '2001:1ff:ffff::': false, '2001:200::': true, '2001:db7:ffff::': true, '2001:db8::': false }
  const more = {
    '2001:db8:ffff::1': false,
    '2001:db9::': true,
    '2001:ffff::': true,
    '2002::': false,
    '2002:ffff::1': false,
  }
  const rest = {
    '2003::': true,
    '3ffe:ffff::': true,
    '3fff::': false,
    '3fff:fff:ffff::': false,
    '3fff:1000::': true,
  }
  // Their last 32 bits look like those of a public IPv4 address.
  const alike = { '2001:db8::101:1': false, 'fe80::808:808': false }
  const outside = { '1fff:ffff::': false, '2000::1': true, '4000::': false, 'a000::1': false }
  for (const [text, wanted] of Object.entries({ ...six, ...more, ...rest, ...alike, ...outside }))
    expect([text, isPublic(parsed(text))]).toEqual([text, wanted])
})

test('a network of IPv4 holds no address of IPv6, and the other way round', () => {
  const any4 = parsePrefix('0.0.0.0/0')
  const any6 = parsePrefix('::/0')
  if (!any4 || !any6) throw new Error('no networks')
  expect([contains(any4, parsed('0.0.0.5')), contains(any4, parsed('::5'))]).toEqual([true, false])
  expect([contains(any6, parsed('::5')), contains(any6, parsed('0.0.0.5'))]).toEqual([true, false])
})

test('text after the bits is no network', () => {
  for (const text of ['10.0.0.0/8/8', '10.0.0.0/8/', '::/8/8', '/', '//'])
    expect(parsePrefix(text)).toBeNull()
})
