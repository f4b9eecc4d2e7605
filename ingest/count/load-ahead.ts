import { firstSlot } from './first-slot'

/**
 * Reads the slots where ids belong in the newest table, and their traces, so that they are in the cache when the ids are
 * added. Only speed depends on it. The sum keeps the compiler from removing the reads.
 */
export function loadAhead(
  tables: readonly { readonly ids: Float64Array }[],
  traces: Uint8Array,
  hits: readonly { readonly id?: number | undefined }[],
): void {
  const ids = tables.at(-1)?.ids
  if (!ids) return
  const mask = ids.length - 1
  const tracesMask = traces.length - 1
  let sum = 0
  for (let at = 0; at < hits.length; at++) {
    const id = hits[at]?.id
    if (id !== undefined)
      sum += (ids[firstSlot(id, mask)] as number) + (traces[firstSlot(id, tracesMask)] as number)
  }
  if (sum < 0) throw new Error('an id is negative')
}
