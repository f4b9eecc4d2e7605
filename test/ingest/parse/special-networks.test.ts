import { expect, test } from 'bun:test'
import {
  contains,
  formatPrefix,
  isPublic,
  type Prefix,
  parseAddress,
  parsePrefix,
} from '../../../ingest/parse/address'

const isOpen = (text: string) => {
  const address = parseAddress(text)
  if (!address) throw new Error(text)
  return isPublic(address)
}

test('every special network is closed from its first to its last address, and open beside them', () => {
  for (const [first, last] of [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ] as const)
    expect([first, isOpen(first), last, isOpen(last)]).toEqual([first, false, last, false])
  for (const text of [
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '8.8.8.8',
    '2001:200::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2003::',
    '2000::1',
    '3ffe::1',
    '3fff:1000::',
    '2606:4700::1',
  ])
    expect([text, isOpen(text)]).toEqual([text, true])
})

test('a network holds the addresses of its own family alone, whatever its bits', () => {
  const holds = (network: string, address: string) =>
    contains(parsePrefix(network) as Prefix, parseAddress(address) as never)
  for (const [network, inside, outside] of [
    ['192.0.2.128/25', '192.0.2.255', '192.0.2.127'],
    ['192.0.2.1/32', '192.0.2.1', '192.0.2.0'],
    ['0.0.0.0/0', '255.255.255.255', '::1'],
    ['::/0', 'ffff::', '1.2.3.4'],
    ['2001:db8:8000::/33', '2001:db8:ffff::', '2001:db8:7fff::'],
    ['2001:db8:0:0:8000::/65', '2001:db8::ffff:0:0:0', '2001:db8::7fff:0:0:0'],
    ['2001:db8::8000:0/97', '2001:db8::ffff:0', '2001:db8::7fff:0'],
    ['2001:db8::1/128', '2001:db8::1', '2001:db8::2'],
    ['8000::/1', 'ffff::', '7fff::'],
  ] as const)
    expect([network, holds(network, inside), holds(network, outside)]).toEqual([network, true, false])
  for (const [written, spelled] of [
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['192.0.2.77', '192.0.2.77/32'],
    ['::ffff:192.0.2.77/120', '192.0.2.0/24'],
    ['2001:db8::1/32', '2001:db8:0:0:0:0:0:0/32'],
    ['::1', '0:0:0:0:0:0:0:1/128'],
  ] as const)
    expect([written, formatPrefix(parsePrefix(written) as Prefix)]).toEqual([written, spelled])
  for (const text of [
    '192.0.2.0/33',
    '2001:db8::/129',
    '::ffff:192.0.2.0/95',
    '192.0.2.0/',
    '192.0.2.0/08',
    '192.0.2.0/1000',
    '192.0.2.0:80/24',
    'fe80::1%eth0/64',
    '[::1]/128',
    '/8',
    'x',
  ])
    expect([text, parsePrefix(text)]).toEqual([text, null])
})

test('an address is read in every form of RFC 4291, and in none beyond it', () => {
  const words = (text: string) => {
    const address = parseAddress(text)
    return address && [address.v4, address.a, address.b, address.c, address.d]
  }
  for (const [text, expected] of [
    ['::', [false, 0, 0, 0, 0]],
    ['::1', [false, 0, 0, 0, 1]],
    ['1::', [false, 0x10000, 0, 0, 0]],
    ['1:2:3:4:5:6:7:8', [false, 0x10002, 0x30004, 0x50006, 0x70008]],
    ['1::8', [false, 0x10000, 0, 0, 8]],
    ['1:2:3:4:5:6:7::', [false, 0x10002, 0x30004, 0x50006, 0x70000]],
    ['::2:3:4:5:6:7:8', [false, 2, 0x30004, 0x50006, 0x70008]],
    ['ABCD:ef01::', [false, 0xabcdef01, 0, 0, 0]],
    ['::1.2.3.4', [false, 0, 0, 0, 0x01020304]],
    ['1:2:3:4:5:6:1.2.3.4', [false, 0x10002, 0x30004, 0x50006, 0x01020304]],
    ['::ffff:1.2.3.4', [true, 0, 0, 0, 0x01020304]],
    ['::ffff:102:304', [true, 0, 0, 0, 0x01020304]],
    ['fe80::1%eth0', [false, 0xfe800000, 0, 0, 1]],
    ['[::1]', [false, 0, 0, 0, 1]],
    ['[::1]:65535', [false, 0, 0, 0, 1]],
    [' 1.2.3.4:80 ', [true, 0, 0, 0, 0x01020304]],
    ['0.0.0.0', [true, 0, 0, 0, 0]],
  ] as const)
    expect([text, words(text)]).toEqual([text, [...expected]])
  for (const text of [
    ':',
    ':::',
    '1:::2',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    ':1',
    '1:',
    '12345::',
    'g::',
    '::1.2.3',
    '::1.2.3.256',
    '1.2.3.4::',
    '::1%',
    '[::1',
    '[::1]:',
    '[::1]:123456',
    '[::1]x',
    '1:2:3:4:5:6:7:1.2.3.4',
    `${' '.repeat(10)}${'1'.repeat(65)}`,
  ])
    expect([text, words(text)]).toEqual([text, null])
})
