import { existsSync, rmSync } from 'node:fs'
import { waitFor } from '../support/wait-for'
import { keyOf, RunProcesses } from './processes'

/**
 * `bun test/mutation/guard.ts COPY PID KEY` waits until the process PID ends, however that happens. Then it kills what the
 * run has left behind and removes the copy. A mutated test may need all memory. KEY tells the process from a later one
 * with the same number.
 */
const [copy = '', pid, key] = process.argv.slice(2)
if (!copy || !pid || !key) throw new Error('The guard needs the copy of the checkout, a process and its key.')
const left = new RunProcesses(copy)
const weekMs = 604_800_000
// A pipe of the process would not do: it can be held open by what the process has started.
const hasEnded = () => keyOf(Number(pid)) !== key
await waitFor(hasEnded, { what: 'the run to end', timeoutMs: weekMs, everyMs: 100 })
await waitFor(isGone, { what: `${copy} to be removed`, timeoutMs: 60_000, everyMs: 100 })

function isGone(): boolean {
  left.end()
  try {
    rmSync(copy, { recursive: true, force: true })
  } catch {
    // A process that is just ending may still write, so a folder can be filled again while it is removed.
  }
  return left.isEmpty() && !existsSync(copy)
}
