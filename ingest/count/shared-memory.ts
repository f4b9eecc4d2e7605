/** The memory of one site, as a part of the memory that sites share. */
export interface MemoryAccount {
  /**
   * Reserves this many more bytes. If that is too much, the largest account frees some. That may be this one.
   */
  reserve(bytes: number): void
  release(bytes: number): void
  /** Returns how much this account can use while all others keep theirs, up to an equal share. */
  share(): number
}

export interface SharedMemory {
  /** Opens an account. `giveUp` frees the oldest part of it, if there is any. */
  open(giveUp: () => void): MemoryAccount
  used(): number
}

interface Holder {
  bytes: number
  readonly giveUp: () => void
}

/**
 * Shares `bytesMax` fairly. An account may use memory that others do not. When memory is short, the largest
 * account frees some first, so an account below an equal share never loses memory to another.
 */
export function createSharedMemory(bytesMax: number): SharedMemory {
  const holders: Holder[] = []
  let used = 0

  function makeRoom() {
    while (used > bytesMax) {
      let most: Holder | undefined
      for (const holder of holders) if (holder.bytes > (most?.bytes ?? 0)) most = holder
      const before = used
      most?.giveUp()
      if (used >= before) return
    }
  }

  /**
   * Returns the level L at which the memory is full, if each other account has at most L and this one has L.
   */
  function shareOf(own: Holder): number {
    const others = holders
      .filter((holder) => holder !== own)
      .map(({ bytes }) => bytes)
      .sort((a, b) => a - b)
    let left = bytesMax
    for (const [at, bytes] of others.entries()) {
      const equal = left / (others.length - at + 1)
      if (bytes >= equal) return equal
      left -= bytes
    }
    return left
  }

  return {
    open(giveUp) {
      const own: Holder = { bytes: 0, giveUp }
      holders.push(own)
      return {
        reserve(bytes) {
          own.bytes += bytes
          used += bytes
          if (used > bytesMax) makeRoom()
        },
        release(bytes) {
          own.bytes -= bytes
          used -= bytes
        },
        share: () => shareOf(own),
      }
    },
    used: () => used,
  }
}
