/** The longest work between two turns of this thread's event loop. */
export interface StretchWatch {
  /** Returns the longest stretch since the last call, in milliseconds of the thread's own processor time. */
  take(): number
  stop(): void
}

/** The processor time of the calling thread, in milliseconds. It does not grow while other programs have the processor. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Watches every turn of this thread's event loop. The loop never sleeps meanwhile. */
export function watchStretches(): StretchWatch {
  let longest = 0
  let isStopped = false
  let before = threadMs()
  const turn = () => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isStopped) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    take() {
      const taken = longest
      longest = 0
      before = threadMs()
      return taken
    },
    stop() {
      isStopped = true
    },
  }
}
