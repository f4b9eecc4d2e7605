import { createFairQueue, type FairQueue } from './fair-queue'
import { currentWork, type Work } from './scope'

/** Requests of one tenant that may wait for the event loop. More are refused with 429. */
const waitingMax = 100

/** A process has one event loop, and all its tenants share it. */
const turns = createFairQueue({
  name: 'requests',
  slots: 1,
  perTenant: 1,
  waitingMax,
  // The previous task ended in its own turn of the event loop.
  defer: (start) => start(),
})

/** Turns that follow each other in one task of the event loop, and how long they may take together. */
const inTask = { turnsMax: 16, ms: 1 }
let turnsInTask = 0
let taskBegan = 0

/**
 * Begins a turn. Returns whether it ends at once, because this task of the event loop is still short. An answer that is
 * sent in the task of its request costs much less: 100 µs less for one of 120 kB.
 */
function isShortTurn(): boolean {
  const now = performance.now()
  if (turnsInTask === 0) {
    taskBegan = now
    setImmediate(() => {
      turnsInTask = 0
    })
  }
  turnsInTask += 1
  return turnsInTask < inTask.turnsMax && now - taskBegan < inTask.ms
}

const atOnce = Promise.resolve()

/**
 * Waits for the tenant's turn on the event loop. Call it when a request arrives, and when it returns from work
 * outside the loop. The tenant with the fewest turns comes first, so a tenant with a hundred requests does not block
 * the others. If nobody else waits, the turn begins at once. Throws like `FairQueue.run`.
 */
export function waitForTurn(
  work: Work = currentWork(),
  more?: { readonly isEntered: boolean },
): Promise<void> {
  const release = turns.holdIfIdle()
  if (release) {
    if (isShortTurn()) queueMicrotask(release)
    else setImmediate(release)
    return atOnce
  }
  return new Promise((resolve, reject) => {
    const turn = async () => {
      resolve()
      if (!isShortTurn()) await new Promise((end) => setImmediate(end))
    }
    turns.run(work, turn, more).catch(reject)
  })
}

/** Runs a task outside the event loop through a fair queue, then waits for the tenant's turn on the loop. */
export async function offLoop<T>(queue: FairQueue, work: Work, task: () => Promise<T>): Promise<T> {
  const result = await queue.run(work, task)
  await waitForTurn(work, { isEntered: true })
  return result
}
