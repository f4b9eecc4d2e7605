import { renameSync } from 'node:fs'
import { writeHeapSnapshot } from 'node:v8'

/** An address that lives as long as the process, made here, so that a search of the heap can be seen to find one. */
Reflect.set(globalThis, 'heldOnPurpose', new Map([[[203, 0, 113, 80].join('.'), 1]]))

/** Preloaded into the product: on SIGUSR2 a process writes its heap to the file `<HEAP_SNAPSHOT>.<process id>`. */
process.on('SIGUSR2', () => {
  if (!process.env.HEAP_SNAPSHOT) return
  const file = `${process.env.HEAP_SNAPSHOT}.${process.pid}`
  Bun.gc(true)
  writeHeapSnapshot(`${file}.part`)
  renameSync(`${file}.part`, file)
})
