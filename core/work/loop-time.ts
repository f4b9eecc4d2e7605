import { currentWork } from './scope'

/** The clock of a thread's own processor time costs a microsecond, which is much for a small request. */
const smallMax = 4_096
/**
 * What a part pays at most if it is timed by the wall clock, in milliseconds. What takes longer mostly waited for the processor,
 * because the machine is busy, and that is not the sender's fault. The size of some parts is not known before.
 */
const untimedMax = { small: 1, unknown: 5 } as const

/** The processor time of this thread, in milliseconds. It stands still while other programs have the processor. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Runs a part of a request that holds the event loop, and adds its processor time to what the sender pays. `size` is how much
 * it works on, in bytes or characters, or undefined if that is not known. A part that throws pays too.
 */
export function paid<T>(size: number | undefined, run: () => T): T {
  const time = currentWork().loopTime
  if (!time) return run()
  const isLarge = size !== undefined && size > smallMax
  const began = isLarge ? threadMs() : performance.now()
  try {
    return run()
  } finally {
    const ms = isLarge
      ? threadMs() - began
      : Math.min(performance.now() - began, size === undefined ? untimedMax.unknown : untimedMax.small)
    if (time.pay) time.pay(ms)
    else time.ms += ms
  }
}
