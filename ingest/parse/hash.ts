/**
 * Hashes text to 53 bits, which fit in a number. Never returns 0. For recognition, not for security. Uses two
 * lanes of MurmurHash3's steps over pairs of UTF-16 units, because calling one of Bun's hashes costs more
 * than reading an id.
 */
export const hash53 = (text: string, seed: number): number => hashed(seed | 0, ~seed, text)

/**
 * Hashes two integers and a text to 53 bits, together with an earlier hash of 53 bits. Of the second integer, 32 bits
 * count. Never returns 0.
 */
export function hash53After(before: number, first: number, second: number, text: string): number {
  const high = Math.trunc(first * 2 ** -32)
  const a = step(step((before / 0x200000) | 0, Math.imul(first, 0xcc9e2d51)), Math.imul(high, 0x1b873593))
  const b = step(step(before | 0, Math.imul(high, 0x239b961b)), Math.imul(first, 0x38b34ae5))
  return hashed(step(a, Math.imul(second, 0x239b961b)), step(b, Math.imul(second, 0xcc9e2d51)), text)
}

/** Hashes a text in two lanes that may already have a content. */
function hashed(first: number, second: number, text: string): number {
  let a = first
  let b = second
  let at = 0
  for (; at + 1 < text.length; at += 2) {
    const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
    a = step(a, Math.imul(pair, 0xcc9e2d51))
    b = step(b, Math.imul(pair, 0x239b961b))
  }
  if (at < text.length) {
    const unit = text.charCodeAt(at)
    a ^= turned(Math.imul(unit, 0xcc9e2d51), 15)
    b ^= turned(Math.imul(unit, 0x239b961b), 15)
  }
  a = mixed(a ^ text.length ^ turned(b, 16))
  b = mixed(b ^ a)
  return (a >>> 0) * 0x200000 + (b >>> 11) || 1
}

/** Returns the first 32 of these bits. */
export const hash32 = (text: string): number => Math.floor(hash53(text, 0) / 0x200000)

const turned = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))

const step = (lane: number, pair: number) =>
  (Math.imul(turned(lane ^ Math.imul(turned(pair, 15), 0x1b873593), 13), 5) + 0xe6546b64) | 0

/** Mixes all bits of a lane. */
function mixed(lane: number): number {
  let value = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return value ^ (value >>> 16)
}
