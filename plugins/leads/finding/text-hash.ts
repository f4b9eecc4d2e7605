const shingleWords = 3
const bits = 64
/** Texts with fewer words are too short to be called copies of each other. */
const wordsMin = 8

/**
 * Returns a simhash of the text as 16 hexadecimal digits. Texts that differ in a few words have hashes that differ in
 * a few bits. Null for texts that are too short.
 */
export function textHash(text: string): string | null {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length < wordsMin) return null
  const sums = new Int32Array(bits)
  for (let at = 0; at + shingleWords <= words.length; at++) {
    const hash = Bun.hash.wyhash(words.slice(at, at + shingleWords).join(' '))
    for (let bit = 0; bit < bits; bit++) {
      const isSet = (hash >> BigInt(bit)) & 1n
      sums[bit] = (sums[bit] as number) + (isSet === 1n ? 1 : -1)
    }
  }
  let value = 0n
  for (let bit = 0; bit < bits; bit++) if ((sums[bit] as number) > 0) value |= 1n << BigInt(bit)
  return value.toString(16).padStart(16, '0')
}

/** A hash in the form in which many are compared: its first and its last 32 bits. */
export type HashBits = readonly [high: number, low: number]

/** Returns a hash in the form in which many are compared. */
export const hashBits = (hash: string): HashBits => [
  Number.parseInt(hash.slice(0, 8), 16),
  Number.parseInt(hash.slice(8), 16),
]

/** Returns in how many bits two hashes differ. */
export const bitsBetween = ([high, low]: HashBits, [otherHigh, otherLow]: HashBits): number =>
  ones(high ^ otherHigh) + ones(low ^ otherLow)

/** Returns the number of bits that are set in a 32-bit integer. */
function ones(given: number): number {
  const pairs = given - ((given >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
