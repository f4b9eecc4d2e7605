import { rmSync } from 'node:fs'
import { RunProcesses } from './processes'

/**
 * `bun test/mutation/guard.ts COPY` waits until its input ends, which it does when the run that started it ends, however
 * that happened. Then it kills what the run has left behind and removes the copy. A mutated test may need all memory.
 */
const copy = process.argv[2]
if (!copy) throw new Error('The guard needs the copy of the checkout.')
await Bun.stdin.text()
new RunProcesses(copy).end()
// A process that is just ending may still write, so a folder can be filled again while it is removed.
rmSync(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
