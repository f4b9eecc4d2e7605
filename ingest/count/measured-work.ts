/** The processor time of the calling thread, in milliseconds. The kernel keeps it to a few milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Measures work that takes turns with other work of the same thread. */
export interface MeasuredWork {
  /** Ends a slice, and begins the next one when it is this work's turn. */
  turn(): Promise<void>
  /** Ends the last slice. Returns the processor time of all slices, in milliseconds. */
  spent(): number
}

/** Begins a slice of work. `next` waits for its next turn. `before` is what it took so far. */
export function startWork(next: () => Promise<void>, before = 0): MeasuredWork {
  let spent = before
  let began = threadMs()
  return {
    async turn() {
      spent += threadMs() - began
      await next()
      began = threadMs()
    },
    spent: () => spent + threadMs() - began,
  }
}
