import { renameSync } from 'node:fs'
import { writeHeapSnapshot } from 'node:v8'

/** An address that lives as long as the process, made here, so that a search of the heap can be seen to find one. */
Reflect.set(globalThis, 'heldOnPurpose', new Map([[[203, 0, 113, 80].join('.'), 1]]))

/** Preloaded into the product: on SIGUSR2 its heap is written to the file that `HEAP_SNAPSHOT` names. */
process.on('SIGUSR2', () => {
  const file = process.env.HEAP_SNAPSHOT
  if (!file) return
  Bun.gc(true)
  writeHeapSnapshot(`${file}.part`)
  renameSync(`${file}.part`, file)
})
