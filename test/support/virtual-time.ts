/** A clock that stands still while code runs, and moves to the next sleeper when all of it waits. */
export interface VirtualTime {
  now(): Date
  /** Milliseconds since the start. */
  elapsed(): number
  sleep(ms: number): Promise<void>
  /** When the next sleeper wakes, in milliseconds since the epoch; infinite without one. */
  next(): number
  /** Moves the clock and wakes who slept until then. */
  moveTo(ms: number): void
  /** Waits for work. The clock moves only when the event loop has nothing else to do. */
  run<T>(work: Promise<T>): Promise<T>
}

/** Rounds of the event loop without a sleeper coming or going, after which everybody is taken to sleep. */
const quietRounds = 20

export function virtualTime(start = '2026-03-15T12:00:00.000Z'): VirtualTime {
  const began = Date.parse(start)
  let time = began
  let changes = 0
  const sleepers: { readonly at: number; wake(): void }[] = []
  const next = () => Math.min(...sleepers.map(({ at }) => at))
  const moveTo = (ms: number) => {
    time = Math.max(time, ms)
    for (const sleeper of sleepers.filter(({ at }) => at <= time)) {
      sleepers.splice(sleepers.indexOf(sleeper), 1)
      changes++
      sleeper.wake()
    }
  }
  const quiet = async () => {
    for (let rounds = 0, seen = changes; rounds < quietRounds; rounds++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (seen === changes) continue
      seen = changes
      rounds = 0
    }
  }
  return {
    now: () => new Date(time),
    elapsed: () => time - began,
    sleep: (ms) =>
      new Promise((wake) => {
        changes++
        sleepers.push({ at: time + Math.max(0, ms), wake })
      }),
    next,
    moveTo,
    async run(work) {
      let isOver = false
      const end = () => {
        isOver = true
      }
      work.then(end, end)
      for (;;) {
        await quiet()
        if (isOver) return work
        if (sleepers.length > 0) moveTo(next())
      }
    },
  }
}
