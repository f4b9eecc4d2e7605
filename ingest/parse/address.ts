/** An IP address as 32-bit words. IPv4 is in `d`, and the other words are 0. */
export interface Address {
  readonly v4: boolean
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
}

/** A network: the address with its host bits cleared, and the length of its prefix. */
export interface Prefix {
  readonly address: Address
  readonly bits: number
}

/** No number, as what is below zero. */
const none = -1

/**
 * Reads an IP address as logs write it. Removes spaces, `[…]`, a port and a zone id. An IPv4-mapped IPv6
 * address becomes IPv4. Returns null for everything else: leading zeros, hexadecimal and short forms are not
 * accepted.
 */
export function parseAddress(text: string): Address | null {
  // Nearly all addresses are four decimals without additions.
  return parseV4(text) ?? parseDressed(text)
}

function parseDressed(text: string): Address | null {
  const bare = text.trim()
  if (bare.length > 64) return null
  if (bare.startsWith('[')) {
    const end = bare.indexOf(']')
    return /^(:\d{1,5})?$/.test(bare.slice(end + 1)) ? parseV6(bare.slice(1, end)) : null
  }
  const colon = bare.indexOf(':')
  if (colon === -1) return parseV4(bare)
  if (bare.lastIndexOf(':') > colon) return parseV6(bare)
  return /^\d{1,5}$/.test(bare.slice(colon + 1)) ? parseV4(bare.slice(0, colon)) : null
}

/** Reads `address/bits`, or a single address as a network. Clears host bits. Rejects ports and zones. */
export function parsePrefix(text: string): Prefix | null {
  const [host = '', length, more] = text.split('/')
  const dotted = !host.includes(':')
  const address = dotted ? parseV4(host) : parseV6(host, false)
  if (!address || more !== undefined) return null
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null
  const most = dotted ? 32 : 128
  const written = length === undefined ? most : Number(length)
  // An IPv4-mapped network counts its bits from the 96 in front.
  const bits = address.v4 && !dotted ? written - 96 : written
  if (written > most || bits < 0) return null
  return { address: masked(address, bits), bits }
}

/** Returns the canonical text of a network. */
export function formatPrefix({ address, bits }: Prefix): string {
  const { v4, a, b, c, d } = address
  if (v4) return `${d >>> 24}.${(d >>> 16) & 255}.${(d >>> 8) & 255}.${d & 255}/${bits}`
  const groups = [a, b, c, d].flatMap((word) => [(word >>> 16).toString(16), (word & 0xffff).toString(16)])
  return `${groups.join(':')}/${bits}`
}

/** Whether an IP address is public: not private, reserved or special-purpose. */
export function isPublic(address: Address): boolean {
  if (address.v4 && touched[address.d >>> 24] === 0) return true
  const special = address.v4 ? specialV4 : specialV6
  // Only 2000::/3 is assigned for public use.
  if (!address.v4 && address.a >>> 29 !== 1) return false
  return !special.some((prefix) => contains(prefix, address))
}

/** Whether a network contains an address. */
export function contains({ address: base, bits }: Prefix, address: Address): boolean {
  if (base.v4 !== address.v4) return false
  const at = masked(address, bits)
  return at.a === base.a && at.b === base.b && at.c === base.c && at.d === base.d
}

const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map(toPrefix)
/** First octets with special ranges. Most addresses are decided by their first octet. */
const touched = new Uint8Array(256)
for (const { address, bits } of specialV4) {
  const first = address.d >>> 24
  touched.fill(1, first, first + 2 ** Math.max(0, 8 - bits))
}
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(toPrefix)

function toPrefix(text: string): Prefix {
  const prefix = parsePrefix(text)
  if (!prefix) throw new Error(`${text} is not a network`)
  return prefix
}

function masked(address: Address, bits: number): Address {
  const { v4, a, b, c, d } = address
  if (v4) return { ...address, d: (d & wordMask(bits)) >>> 0 }
  return {
    v4,
    a: (a & wordMask(bits)) >>> 0,
    b: (b & wordMask(bits - 32)) >>> 0,
    c: (c & wordMask(bits - 64)) >>> 0,
    d: (d & wordMask(bits - 96)) >>> 0,
  }
}

function wordMask(bits: number): number {
  if (bits <= 0) return 0
  return bits >= 32 ? 0xffffffff : ~(0xffffffff >>> bits)
}

function parseV4(text: string): Address | null {
  const value = readV4(text, 0)
  return value < 0 ? null : { v4: true, a: 0, b: 0, c: 0, d: value }
}

/** The value of four plain decimals that fill `text` from `from` on, or `none`. */
function readV4(text: string, from: number): number {
  let value = 0
  let part = none
  let dots = 0
  for (let at = from; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 46
    if (code === 46) {
      if (part < 0) return none
      value = value * 256 + part
      part = none
      dots++
      continue
    }
    const digit = code - 48
    if (digit < 0 || digit > 9 || part === 0) return none
    part = part < 0 ? digit : part * 10 + digit
    if (part > 255) return none
  }
  return dots === 4 ? value : none
}

function parseV6(text: string, zoned = true): Address | null {
  const percent = text.indexOf('%')
  if (percent !== -1 && (!zoned || percent === text.length - 1)) return null
  const groups = groupsOf(text, percent === -1 ? text.length : percent)
  if (!groups) return null
  const word = (at: number) => (groups[at] as number) * 0x10000 + (groups[at + 1] as number)
  const a = word(0)
  const b = word(2)
  const c = word(4)
  const d = word(6)
  if (a === 0 && b === 0 && c === 0xffff) return { v4: true, a: 0, b: 0, c: 0, d }
  return { v4: false, a, b, c, d }
}

/** Returns the eight groups of the first `end` characters, with `::` expanded. */
function groupsOf(text: string, end: number): number[] | null {
  const groups: number[] = []
  let gap = none
  let at = 0
  if (text.charCodeAt(0) === 58) {
    if (text.charCodeAt(1) !== 58) return null
    gap = 0
    at = 2
  }
  while (at < end) {
    const colon = text.indexOf(':', at)
    const stop = colon === -1 || colon > end ? end : colon
    if (stop - at > 6) {
      // Only four decimals are this long, and only at the end.
      const value = readV4(text.slice(at, end), 0)
      if (value < 0) return null
      groups.push(value >>> 16, value & 0xffff)
      break
    }
    const group = hexadecimal(text, at, stop)
    if (group < 0) return null
    groups.push(group)
    if (stop === end) break
    at = stop + 1
    if (at === end) return null
    if (text.charCodeAt(at) !== 58) continue
    if (gap !== none) return null
    gap = groups.length
    at++
  }
  if (gap === none) return groups.length === 8 ? groups : null
  if (groups.length > 7) return null
  return [...groups.slice(0, gap), ...new Array<number>(8 - groups.length).fill(0), ...groups.slice(gap)]
}

/** One to four hexadecimal digits that fill the text from `from` to `to`, or `none`. */
function hexadecimal(text: string, from: number, to: number): number {
  if (to - from < 1 || to - from > 4) return none
  let value = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    const letter = (code | 32) - 97
    const digit = code <= 57 ? code - 48 : letter >= 0 && letter < 6 ? letter + 10 : none
    if (digit < 0) return none
    value = value * 16 + digit
  }
  return value
}
