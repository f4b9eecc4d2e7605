/** Counts failed authentications by address, in memory and for the running minute only. */
export interface Failures {
  /** Counts one more and says whether the address has had more than it may. */
  isOver(address: string | null): boolean
}

const addressesMax = 10_000

/** Creates the counter of failures. Only failures are counted, and only failures are refused. */
export function createFailures(perMinute: number, now: () => Date): Failures {
  let minute = 0
  let counts = new Map<string, number>()
  return {
    isOver(address) {
      const current = Math.floor(now().getTime() / 60_000)
      if (current !== minute || counts.size > addressesMax) counts = new Map()
      minute = current
      const key = address ?? ''
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count > perMinute
    },
  }
}
