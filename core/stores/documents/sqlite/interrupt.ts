/**
 * An SQL function that runs for every row of a scan. It stops the statement if nobody waits for it or its
 * time is over.
 */
export const continueFunction = 'scan_continues'

/** Stops a statement between two rows if its thread says so. */
export const stoppable = `${continueFunction}() AND `

/**
 * Like `stoppable`, but asks at one row in 64. SQLite counts the entries of an index faster than the thread can be
 * asked. The product spreads these rows, so that no regular choice of rows avoids them.
 */
export const seldomStoppable = `((rowid * 40503) & 65535 >= 1024 OR ${continueFunction}()) AND `

/** The messages of a stopped statement, as SQLite returns them. */
export const stopMessages = {
  cancelled: 'renown: the scan was cancelled',
  late: 'renown: the scan took too long',
  starved: 'renown: the scan got too little of the processor',
} as const

/** Number of rows between two checks of the time. */
const rowsPerLook = 64

/** Decides for each row whether a statement continues. */
export interface Interrupt {
  /** Call it before a statement, with the id for cancelling it and its time limit in milliseconds. */
  begin(id: number, forMs: number): void
  /** Called for each row. Throws to stop the statement. */
  pass(): 1
}

/** The processor time of this thread, in milliseconds. It stands still while other programs have the processor. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** A scan that had less of its time than this share did not take too long: the machine was busy. */
const ownShare = 0.5

/** Watches `cancelled`, which another thread sets to the number of the statement to stop. */
export function createInterrupt(cancelled: Int32Array, cpuMs: () => number = threadMs): Interrupt {
  let current = 0
  let endsAt = Number.POSITIVE_INFINITY
  let rows = 0
  let lateMs = 0
  return {
    begin(id, forMs) {
      current = id
      endsAt = performance.now() + forMs
      rows = 0
      lateMs = cpuMs() + forMs * ownShare
    },
    pass() {
      if (Atomics.load(cancelled, 0) === current) throw new Error(stopMessages.cancelled)
      if (++rows % rowsPerLook === 0 && performance.now() > endsAt)
        throw new Error(cpuMs() < lateMs ? stopMessages.starved : stopMessages.late)
      return 1
    },
  }
}
