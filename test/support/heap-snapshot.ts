import { renameSync } from 'node:fs'
import { writeHeapSnapshot } from 'node:v8'

/** Preloaded into the product: on SIGUSR2 its heap is written to the file that `HEAP_SNAPSHOT` names. */
process.on('SIGUSR2', () => {
  const file = process.env.HEAP_SNAPSHOT
  if (!file) return
  Bun.gc(true)
  writeHeapSnapshot(`${file}.part`)
  renameSync(`${file}.part`, file)
})
