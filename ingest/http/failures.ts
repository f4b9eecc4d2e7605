/** Counts failed authentications by IP address, in memory, for the current minute only. */
export interface Failures {
  /** Counts one failure. Returns whether the address has had too many. */
  isOver(address: string | null): boolean
}

const addressesMax = 10_000

/** Creates the counter of failures. Only failures are counted and refused. */
export function createFailures(perMinute: number, now: () => Date): Failures {
  // Addresses are distinguished by a hash that is useless outside this process.
  const seed = Bun.hash.xxHash3(crypto.randomUUID())
  let minute = Number.NaN
  let counts = new Map<bigint, number>()
  return {
    isOver(address) {
      const current = Math.floor(now().getTime() / 60_000)
      if (current !== minute || counts.size > addressesMax) counts = new Map()
      minute = current
      const key = Bun.hash.xxHash3(address ?? '', seed)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count > perMinute
    },
  }
}
