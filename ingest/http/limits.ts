export interface Bucket {
  /** Seconds to wait before more is taken from this key, 0 when it may come now. */
  wait(key: string): number
  /** Takes from the bucket, into debt if need be: what something costs is known only after it was read. */
  charge(key: string, amount: number): void
}

/** Token buckets by key. Each fills at `perSecond` up to `burst`. */
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

/** The memory of one body while it is read and processed. */
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

/** Limits the memory of all bodies together and of one sender. One sender never gets the last part. */
export function createPlaces(limits: PlaceLimits): (sender?: string) => Place {
  const { largeBytes, largeBodiesMax, sharedBytesMax } = limits
  let large = 0
  let shared = 0
  const ownMax = sharedBytesMax * ownShare
  const bySender = new Map<string, { large: number; shared: number }>()

  return (sender) => {
    let held = 0
    let isLarge = false
    const ownOf = () => (sender !== undefined && bySender.get(sender)) || { large: 0, shared: 0 }

    function isTooMuch(bytes: number): boolean {
      const own = ownOf()
      if (bytes > largeBytes) return large >= (own.large > 0 ? largeBodiesMax - 1 : largeBodiesMax)
      const more = bytes - held
      return shared + more > sharedBytesMax || own.shared + more > ownMax
    }

    function take(bytes: number, places: number) {
      const more = bytes - held
      shared += more
      large += places
      held = bytes
      if (sender === undefined) return
      const own = ownOf()
      const next = { large: own.large + places, shared: own.shared + more }
      if (next.large > 0 || next.shared > 0) bySender.set(sender, next)
      else bySender.delete(sender)
    }

    return {
      grow(bytes) {
        if (isLarge || bytes <= held) return true
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

/** The most of the shared bytes that one sender may hold. */
const ownShare = 3 / 4
