import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createIntervals, type Member } from '../../../ingest/judge/intervals'
import { type Address, parseAddress, parsePrefix } from '../../../ingest/parse/address'

const numRuns = process.env.RENOWN_LONG === '1' ? 20_000 : 500

const bigOf = ({ a, b, c, d }: Address) =>
  (BigInt(a) << 96n) | (BigInt(b) << 64n) | (BigInt(c) << 32n) | BigInt(d)

/** The obvious way: every network, one after another, in whole numbers. */
function naive(members: readonly Member[], address: Address): number {
  let mask = 0
  for (const { prefix, mask: own } of members) {
    if (prefix.address.v4 !== address.v4) continue
    const shift = BigInt((address.v4 ? 32 : 128) - prefix.bits)
    if (bigOf(prefix.address) >> shift === bigOf(address) >> shift) mask = (mask | own) >>> 0
  }
  return mask
}

const word = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
)
const v4 = word.map((d): Address => ({ v4: true, a: 0, b: 0, c: 0, d }))
const v6 = fc
  .tuple(word, word, word, word)
  .filter(([a, b, c]) => !(a === 0 && b === 0 && c === 0xffff))
  .map(([a, b, c, d]): Address => ({ v4: false, a, b, c, d }))
const address = fc.oneof(v4, v6)

test('answers what a scan of every network answers, overlaps and edges included', () => {
  const member = fc
    .tuple(address, fc.nat(128), fc.integer({ min: 0, max: 31 }))
    .map(([at, width, bit]): Member => {
      const bits = at.v4 ? width % 33 : width
      const words = [at.a, at.b, at.c, at.d].map((value) => value.toString(16).padStart(8, '0')).join('')
      const text = at.v4
        ? [24, 16, 8, 0].map((shift) => (at.d >>> shift) & 255).join('.')
        : (words.match(/.{4}/g) as string[]).join(':')
      const prefix = parsePrefix(`${text}/${bits}`)
      if (!prefix) throw new Error(`${text}/${bits}`)
      return { prefix, mask: (1 << bit) >>> 0 }
    })
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 30 }),
      fc.array(address, { maxLength: 10 }),
      (members, probes) => {
        const set = createIntervals(members)
        const edges = members.flatMap(({ prefix }) => neighbours(prefix.address, prefix.bits))
        for (const probe of [...probes, ...edges]) expect(set.lookup(probe)).toBe(naive(members, probe))
      },
    ),
    { numRuns },
  )
})

test('nothing is a member of an empty set', () => {
  const set = createIntervals([])
  for (const text of ['0.0.0.0', '255.255.255.255', '::', 'ffff::'])
    expect(set.lookup(parseAddress(text) as Address)).toBe(0)
  expect(set.size).toBe(0)
})

test('neighbouring networks of one owner become one interval', () => {
  const members = ['192.0.2.0/25', '192.0.2.128/25', '192.0.2.4/30'].map((text) => ({
    prefix: parsePrefix(text) as NonNullable<ReturnType<typeof parsePrefix>>,
    mask: 1,
  }))
  expect(createIntervals(members).size).toBe(1)
  const more = ['2001:db8::/32', '198.51.100.0/24', '2001:db8:1::/48', '9.9.9.0/24'].map((text, bit) => ({
    prefix: parsePrefix(text) as NonNullable<ReturnType<typeof parsePrefix>>,
    mask: 1 << bit,
  }))
  expect(createIntervals([...members, ...more]).size).toBe(6)
})

/** First and last address of a network, and the ones beside it. */
function neighbours(base: Address, bits: number): Address[] {
  const width = base.v4 ? 32 : 128
  const most = (1n << BigInt(width)) - 1n
  const first = bigOf(base)
  const last = first + (1n << BigInt(width - bits)) - 1n
  return [first - 1n, first, last, last + 1n]
    .filter((value) => value >= 0n && value <= most)
    .map((value) => ({
      v4: base.v4,
      a: Number(value >> 96n) >>> 0,
      b: Number((value >> 64n) & 0xffffffffn),
      c: Number((value >> 32n) & 0xffffffffn),
      d: Number(value & 0xffffffffn),
    }))
}
