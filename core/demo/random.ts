import type { DemoRandom } from '../contracts/demo'
import { dayMs } from '../contracts/time'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const digest = (text: string) => new Uint8Array(new Bun.CryptoHasher('sha256').update(text).digest().buffer)

/** Returns an id whose 26 characters are derived from a text. */
export function idFrom(prefix: string, text: string): string {
  let tail = ''
  for (const byte of digest(`id ${text}`).subarray(0, 26)) tail += crockford.charAt(byte & 31)
  return `${prefix}_${tail}`
}

/** Returns a random stream derived only from a text: sfc32 on its digest. It does not depend on the machine. */
export function randomFrom(text: string, today: string): DemoRandom {
  const next = sfc32(new Uint32Array(digest(text).buffer, 0, 4))
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const midnight = Date.parse(today)
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]) => list[integer(0, list.length - 1)] as T,
    weighted: <K extends string>(weights: Readonly<Record<K, number>>) => {
      const entries = Object.entries(weights) as [K, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        left -= weight
        if (left < 0) return key
      }
      return (entries.at(-1) as [K, number])[0]
    },
    instant: (daysAgo) => new Date(midnight - daysAgo * dayMs + integer(0, dayMs - 1)).toISOString(),
  }
}

function sfc32([a = 0, b = 0, c = 0, d = 0]: Uint32Array): () => number {
  const step = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
  for (let warm = 0; warm < 12; warm++) step()
  return step
}
