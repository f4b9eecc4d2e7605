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

/** Returns in how many bits two hashes differ. */
export function bitsBetween(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`)
  let count = 0
  for (; difference > 0n; difference &= difference - 1n) count += 1
  return count
}
