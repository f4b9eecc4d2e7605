import type { Log } from '../contracts/plugin'

/**
 * How long closing may take in one process. Draining the ports and running requests need up to 4.5 s of it, and running jobs up to 4 s, side by side.
 * The rest is for the journal and for stores on a busy machine.
 */
export const closingMs = 8_500
/** After this time the supervisor kills its parts. */
export const partsMs = 9_500
/** After this time a process ends itself. */
export const deadlineMs = 10_000

/** Closes opened resources in reverse order. A step that fails or hangs does not block the others. */
export interface Shutdown {
  add(what: string, close: () => unknown): void
  run(): Promise<void>
}

/** Closes everything within `budgetMs`. The log names what is still open after that. */
export function createShutdown(log: Log, budgetMs: number): Shutdown {
  const steps: { readonly what: string; readonly close: () => unknown }[] = []
  let running: Promise<void> | null = null
  const closeAll = async () => {
    const end = performance.now() + budgetMs
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { what, close } = step
      const left = Math.max(50, end - performance.now())
      const timeout = Bun.sleep(left).then(() => 'late' as const)
      try {
        const result = await Promise.race([Promise.resolve(close()).then(() => 'closed' as const), timeout])
        if (result === 'late') log.warn('stopping takes too long', { step: what })
      } catch (error) {
        log.error('stopping failed', { step: what, error: String(error) })
      }
    }
  }
  return {
    add: (what, close) => void steps.push({ what, close }),
    run: () => {
      running ??= closeAll()
      return running
    },
  }
}
