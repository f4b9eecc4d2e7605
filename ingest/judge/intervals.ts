import type { Address, Prefix } from '../parse/address'

/** A network, with one bit for each owner. */
export interface Member {
  readonly prefix: Prefix
  readonly mask: number
}

/** Many networks as sorted, disjoint intervals. One binary search finds all owners of an address. */
export interface Intervals {
  /** Returns the bits of all networks that contain the address, or 0. */
  lookup(address: Address): number
  /** Number of intervals after overlaps were split. */
  readonly size: number
}

/** Creates the set. Members may overlap, nest and repeat. At most 32 bits are distinguished. */
export function createIntervals(members: readonly Member[]): Intervals {
  const v4 = packV4(flatten(members.filter(({ prefix }) => prefix.address.v4)))
  const v6 = packV6(flatten(members.filter(({ prefix }) => !prefix.address.v4)))
  return {
    lookup: (address) => (address.v4 ? lookupV4(v4, address.d) : lookupV6(v6, address)),
    size: v4.masks.length + v6.masks.length,
  }
}

interface Cut {
  readonly start: bigint
  readonly end: bigint
  /** As a signed number, so that equal bits are equal numbers. */
  readonly mask: number
}
interface PackedV4 {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly masks: Uint32Array
}
interface PackedV6 {
  readonly starts: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
  readonly ends: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
  readonly masks: Uint32Array
}

/** Two networks are nested or separate, so the networks at any point form a stack, widest first. */
function flatten(members: readonly Member[]): Cut[] {
  const spans = members.map(spanOf).sort((x, y) => compare(x.start, y.start) || compare(y.end, x.end))
  const cuts: Cut[] = []
  const open: Cut[] = []
  /** Where the last interval ended. */
  let at: bigint
  const emit = (end: bigint, mask: number) => {
    if (end < at) return
    const last = cuts.at(-1)
    if (last && last.mask === mask && last.end + 1n === at) cuts[cuts.length - 1] = { ...last, end }
    else cuts.push({ start: at, end, mask })
    at = end + 1n
  }
  const closeBefore = (start?: bigint) => {
    for (let top = open.at(-1); top && (start === undefined || top.end < start); top = open.at(-1)) {
      emit(top.end, top.mask)
      open.pop()
    }
  }
  for (const span of spans) {
    closeBefore(span.start)
    const top = open.at(-1)
    if (top) emit(span.start - 1n, top.mask)
    at = span.start
    open.push(top ? { ...span, mask: span.mask | top.mask } : span)
  }
  closeBefore()
  return cuts
}

function spanOf({ prefix, mask }: Member): Cut {
  const start = numberOf(prefix.address)
  const width = (prefix.address.v4 ? 32 : 128) - prefix.bits
  return { start, end: start + (1n << BigInt(width)) - 1n, mask: mask | 0 }
}

function numberOf({ a, b, c, d }: Address): bigint {
  return (BigInt(a) << 96n) | (BigInt(b) << 64n) | (BigInt(c) << 32n) | BigInt(d)
}

function compare(x: bigint, y: bigint): number {
  return Number(x > y) - Number(x < y)
}

function packV4(cuts: readonly Cut[]): PackedV4 {
  return {
    starts: Uint32Array.from(cuts, ({ start }) => Number(start)),
    ends: Uint32Array.from(cuts, ({ end }) => Number(end)),
    masks: Uint32Array.from(cuts, ({ mask }) => mask),
  }
}

function packV6(cuts: readonly Cut[]): PackedV6 {
  const words = (pick: (cut: Cut) => bigint): PackedV6['starts'] => {
    const word = (shift: bigint) =>
      Uint32Array.from(cuts, (cut) => Number((pick(cut) >> shift) & 0xffffffffn))
    return [word(96n), word(64n), word(32n), word(0n)]
  }
  return {
    starts: words((cut) => cut.start),
    ends: words((cut) => cut.end),
    masks: Uint32Array.from(cuts, ({ mask }) => mask),
  }
}

/** A value before the first interval has no end to compare with, so each comparison is false. */
function lookupV4({ starts, ends, masks }: PackedV4, value: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return value <= (ends[low - 1] as number) ? (masks[low - 1] as number) : 0
}

function lookupV6({ starts, ends, masks }: PackedV6, address: Address): number {
  let low = 0
  let high = masks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareWords(starts, middle, address) <= 0) low = middle + 1
    else high = middle
  }
  return compareWords(ends, low - 1, address) >= 0 ? (masks[low - 1] as number) : 0
}

/** Compares entry `at` with the address. Returns a number below 0 if the entry is first. */
function compareWords([w0, w1, w2, w3]: PackedV6['starts'], at: number, { a, b, c, d }: Address): number {
  return (w0[at] as number) - a || (w1[at] as number) - b || (w2[at] as number) - c || (w3[at] as number) - d
}
