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

/** The memory that one body takes up while it is read and dealt with. */
export interface Place {
  /** Says whether the body may become this large. */
  grow(bytes: number): boolean
  release(): void
}

export interface PlaceLimits {
  /** Bodies above this are large: there may be `largeBodiesMax` at once. All others share `sharedBytesMax`. */
  readonly largeBytes: number
  readonly largeBodiesMax: number
  readonly sharedBytesMax: number
}

/** Bounds what all bodies together hold in memory. */
export function createPlaces({ largeBytes, largeBodiesMax, sharedBytesMax }: PlaceLimits): () => Place {
  let large = 0
  let shared = 0
  return () => {
    let held = 0
    let isLarge = false
    return {
      grow(bytes) {
        if (isLarge || bytes <= held) return true
        const isTooMuch =
          bytes > largeBytes ? large >= largeBodiesMax : shared + bytes - held > sharedBytesMax
        if (isTooMuch) return false
        shared -= held
        isLarge = bytes > largeBytes
        held = isLarge ? 0 : bytes
        shared += held
        if (isLarge) large++
        return true
      },
      release() {
        shared -= held
        if (isLarge) large--
        held = 0
        isLarge = false
      },
    }
  }
}
