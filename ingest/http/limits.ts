export interface TokenBucket {
  /** Returns the seconds to wait, or 0 if a request may come now. */
  wait(key: string): number
  /** Takes from the bucket, even below zero, because the cost is known only after reading. */
  charge(key: string, amount: number): void
}

/** Token buckets by key. Each fills at `perSecond` up to `burst`. With a rate of 0 there is no limit. */
export function createBuckets(perSecond: number, burst: number, now: () => Date): TokenBucket {
  const levels = new Map<string, { tokens: number; at: number }>()

  function level(key: string) {
    const at = now().getTime()
    const bucket = levels.get(key)
    if (!bucket) {
      const fresh = { tokens: burst, at }
      levels.set(key, fresh)
      return fresh
    }
    // If the clock was set back, the bucket stays the same.
    const seconds = Math.max(0, at - bucket.at) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond)
    bucket.at = at
    return bucket
  }

  return {
    wait(key) {
      if (perSecond === 0) return 0
      const { tokens } = level(key)
      return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perSecond)
    },
    charge(key, amount) {
      if (perSecond > 0) level(key).tokens -= amount
    },
  }
}

/** The memory of one body while it is read and processed. */
export interface BodyMemory {
  /** Reserves memory for a body of this size. Returns false if that is too much. */
  grow(bytes: number): boolean
  release(): void
}

export interface BodyMemoryLimits {
  /**
   * Larger bodies are large bodies, of which there may be `largeBodiesMax` at once. All others share
   * `sharedBytesMax`.
   */
  readonly largeBytes: number
  readonly largeBodiesMax: number
  readonly sharedBytesMax: number
}

/**
 * Limits the memory of all bodies together and of one sender. A single sender never gets the last part. Senders are
 * known sites, so memory is limited.
 */
export function createBodyMemory(limits: BodyMemoryLimits): (sender?: string) => BodyMemory {
  const { largeBytes, largeBodiesMax, sharedBytesMax } = limits
  let large = 0
  let shared = 0
  const ownMax = sharedBytesMax * ownShare
  const bySender = new Map<string | undefined, { large: number; shared: number }>()

  return (sender) => {
    let reserved = 0
    let isLarge = false
    const ownOf = () => bySender.get(sender) ?? { large: 0, shared: 0 }

    function isTooMuch(bytes: number): boolean {
      const own = ownOf()
      if (bytes > largeBytes) return large >= (own.large > 0 ? largeBodiesMax - 1 : largeBodiesMax)
      const more = bytes - reserved
      return shared + more > sharedBytesMax || own.shared + more > ownMax
    }

    function take(bytes: number, bodies: number) {
      const more = bytes - reserved
      shared += more
      large += bodies
      reserved = bytes
      if (sender === undefined) return
      const own = ownOf()
      bySender.set(sender, { large: own.large + bodies, shared: own.shared + more })
    }

    return {
      grow(bytes) {
        if (isLarge || bytes <= reserved) return true
        if (isTooMuch(bytes)) return false
        isLarge = bytes > largeBytes
        take(isLarge ? 0 : bytes, isLarge ? 1 : 0)
        return true
      },
      release() {
        take(0, isLarge ? -1 : 0)
        isLarge = false
      },
    }
  }
}

/** Largest part of the shared bytes for one sender. */
const ownShare = 3 / 4
