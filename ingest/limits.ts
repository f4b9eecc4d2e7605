export interface Bucket {
  /** Seconds to wait before more is taken from this key, 0 when it may come now. */
  wait(key: string): number
  /** Takes from the bucket, into debt if need be: what something costs is known only after it was read. */
  charge(key: string, amount: number): void
}

/** Token buckets, one for each key, that fill at `perSecond` up to `burst`. */
export function createBuckets(perSecond: number, burst: number, now: () => Date): Bucket {
  const levels = new Map<string, { tokens: number; at: number }>()

  function level(key: string) {
    const at = now().getTime()
    const known = levels.get(key)
    if (!known) {
      const fresh = { tokens: burst, at }
      levels.set(key, fresh)
      return fresh
    }
    // A clock that was set back gives nothing and takes nothing.
    const seconds = Math.max(0, at - known.at) / 1000
    known.tokens = Math.min(burst, known.tokens + seconds * perSecond)
    known.at = at
    return known
  }

  return {
    wait(key) {
      const { tokens } = level(key)
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))
    },
    charge(key, amount) {
      const known = levels.get(key) ?? level(key)
      known.tokens -= amount
    },
  }
}

/** A fixed number of places for work that is dear in memory. */
export function createSlots(count: number) {
  let free = count
  return {
    take(): (() => void) | null {
      if (free === 0) return null
      free--
      let taken = true
      return () => {
        if (taken) free++
        taken = false
      }
    },
  }
}
