/** The usage of one caller in its current window. */
export interface Window {
  readonly endsAt: number
  used: number
}

/** Counts callers in windows of time. */
export interface Windows {
  /** Returns the window of a caller at an instant, in milliseconds. Starts one if needed. */
  of(owner: string, at: number): Window
  /** Returns the running window of a caller at an instant. Starts none. */
  running(owner: string, at: number): Window | undefined
}

const ownersMax = 100_000
const sharedWindows = 4_096

/**
 * Creates windows of one length. Two generations of windows are replaced as a whole, so expired windows need
 * no search. After the first 100,000 callers of a generation, all others share 4,096 windows. So a large
 * number of callers cannot reset another caller's window or fill the memory.
 */
export function createWindows(lengthMs: number, max = ownersMax): Windows {
  let current = new Map<string, Window>()
  let previous = new Map<string, Window>()
  let turnsAt = 0
  const turn = (at: number) => {
    if (at < turnsAt) return
    previous = at < turnsAt + lengthMs ? current : new Map()
    current = new Map()
    turnsAt = at + lengthMs
  }
  const running = (key: string, at: number): Window | undefined => {
    const window = current.get(key) ?? previous.get(key)
    return window && window.endsAt > at ? window : undefined
  }
  const shared = (owner: string) => `\u0000${Bun.hash.crc32(owner) % sharedWindows}`
  const start = (key: string, at: number): Window => {
    const made = { endsAt: at + lengthMs, used: 0 }
    current.set(key, made)
    return made
  }
  return {
    of(owner, at) {
      turn(at)
      const known = running(owner, at)
      if (known) return known
      if (current.size < max) return start(owner, at)
      const key = shared(owner)
      return running(key, at) ?? start(key, at)
    },
    running(owner, at) {
      turn(at)
      return running(owner, at) ?? (current.size < max ? undefined : running(shared(owner), at))
    },
  }
}
