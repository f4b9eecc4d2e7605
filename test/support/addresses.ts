/** Addresses that can be looked for in any of the ways an address is written. */
export interface AddressSearch {
  /** The known addresses that stand in a text, each as it stands there. */
  find(text: string): string[]
}

/**
 * Looks for known addresses as dotted decimals, as hexadecimal with and without `0x`, as one integer, and for IPv6 in
 * every grouping, compressed or not, mapped IPv4 included. One pass over the text however many addresses are known.
 */
export function searchFor(addresses: readonly string[]): AddressSearch {
  const dotted = new Set<string>()
  const hexes = new Set<string>()
  const integers = new Set<string>()
  for (const address of addresses) {
    const words = wordsOf(address)
    if (!words) throw new Error(`${address} is not an address`)
    hexes.add(words.map((word) => word.toString(16).padStart(4, '0')).join(''))
    if (!address.includes(':')) {
      dotted.add(address)
      integers.add(String(((words[0] as number) * 65536 + (words[1] as number)) >>> 0))
    } else integers.add(BigInt(`0x${[...hexes].at(-1)}`).toString())
  }
  const mappedPrefix = `${'0'.repeat(20)}ffff`
  const isKnownWords = (text: string) => {
    const words = wordsOf(text)
    if (words?.length !== 8) return false
    const hex = words.map((word) => word.toString(16).padStart(4, '0')).join('')
    return hexes.has(hex) || (hex.startsWith(mappedPrefix) && hexes.has(hex.slice(24)))
  }
  return {
    find(text) {
      const found = [
        ...(text.match(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g) ?? []).filter((each) => dotted.has(each)),
        ...(text.match(/(?<![0-9a-z])(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{32})(?![0-9a-z])/gi) ?? []).filter(
          (each) => hexes.has(each.toLowerCase().replace(/^0x/, '')),
        ),
        ...(text.match(/(?<![\d.])\d{9,39}(?![\d.])/g) ?? []).filter((each) => integers.has(each)),
        ...(text.match(/(?<![0-9a-f:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:\.\d+){0,3}/gi) ?? []).filter(
          isKnownWords,
        ),
      ]
      return [...new Set(found)]
    },
  }
}

/** The 16-bit words of an address: two for IPv4, eight for IPv6; null where it is none. */
function wordsOf(text: string): number[] | null {
  const quad = /^(.*?)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (quad) {
    const [a, b, c, d] = quad.slice(2).map(Number) as [number, number, number, number]
    const tail = [a * 256 + b, c * 256 + d]
    if (!quad[1]) return tail
    const head = wordsOf(`${quad[1]}0:0`)
    return head ? [...head.slice(0, 6), ...tail] : null
  }
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [front = [], back = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const gap = halves.length === 2 ? 8 - front.length - back.length : 0
  if (gap < 0 || front.length + gap + back.length !== 8) return null
  const words = [...front, ...Array.from({ length: gap }, () => '0'), ...back].map((word) =>
    /^[0-9a-f]{1,4}$/i.test(word) ? Number.parseInt(word, 16) : Number.NaN,
  )
  return words.some(Number.isNaN) ? null : words
}
