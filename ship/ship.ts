import type { LineSource } from './position'
import { type Destination, type Outcome, send } from './send'

/** How often files are looked at when they have nothing new. */
const idleMs = 500

/** What was sent so far. */
export interface Shipped extends Outcome {
  readonly batches: number
}

const nothing: Outcome = { accepted: 0, ignored: 0, rejected: 0, duplicate: 0 }

/**
 * Sends the lines of the sources until the signal ends it, or with `once` until all were sent. A batch is recorded before it is
 * sent and after it was accepted, so that each line is counted once, whichever process ends when.
 */
export async function ship(
  sources: readonly LineSource[],
  target: Destination,
  { once = false }: { readonly once?: boolean } = {},
): Promise<Shipped> {
  const total = { batches: 0, accepted: 0, ignored: 0, rejected: 0, duplicate: 0 }
  const { signal, warn } = target
  while (!signal.aborted) {
    let isIdle = true
    for (const source of sources) {
      const batch = await source.next().catch((error: Error) => {
        warn(`${source.name}: ${error.message}`)
        return null
      })
      if (!batch || signal.aborted) continue
      batch.begin()
      // Parts of a container's log can be without a line.
      const outcome = batch.body.length === 0 ? nothing : await send(batch, target)
      if (!outcome) break
      batch.accepted()
      isIdle = false
      total.batches++
      for (const name of ['accepted', 'ignored', 'rejected', 'duplicate'] as const)
        total[name] += outcome[name]
      if (outcome.rejected > 0) warn(`${source.name}: ${outcome.rejected} lines of a batch cannot be read.`)
    }
    if (isIdle && once) break
    if (isIdle && !signal.aborted) await Bun.sleep(idleMs)
  }
  return total
}
