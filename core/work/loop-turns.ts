import { createFairQueue, type FairQueue } from './fair-queue'
import { currentWork, type Work } from './scope'

/** Requests of one tenant that may wait for the event loop. More are refused with 429. */
const waitingMax = 100

/** A process has one event loop, and all its tenants share it. */
const turns = createFairQueue({
  ...{ name: 'requests', slots: 1, perTenant: 1, waitingMax },
  // The previous task ended in its own turn of the event loop.
  defer: (start) => start(),
})

/**
 * Waits for the tenant's turn on the event loop and keeps it until the next task of the loop. Call it when a
 * request arrives, and when it returns from work outside the loop. So a tenant with a hundred requests does
 * not block the others. Throws like `FairQueue.run`.
 */
export function waitForTurn(
  work: Work = currentWork(),
  more?: { readonly isEntered: boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = () => {
      resolve()
      return new Promise<void>((end) => setImmediate(end))
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
