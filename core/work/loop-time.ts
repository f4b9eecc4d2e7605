import { currentWork } from './scope'

/** The clock of a thread's own processor time costs a microsecond, which is much for a small request. */
const smallMax = 4_096

/** The processor time of this thread, in milliseconds. It stands still while other programs have the processor. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Runs a part of a request that holds the event loop, and adds its processor time to what the sender pays. `size` is how much
 * it works on, in bytes or characters. A part that throws pays too.
 */
export function paid<T>(size: number, run: () => T): T {
  const time = currentWork().loopTime
  if (!time) return run()
  const clock = size > smallMax ? threadMs : performance.now.bind(performance)
  const began = clock()
  try {
    return run()
  } finally {
    const ms = clock() - began
    if (time.pay) time.pay(ms)
    else time.ms += ms
  }
}
