import type { DaySumsQuery } from '../../core/contracts/day-sums'
import type { SystemReads } from '../../core/contracts/owner'
import type { Workbench } from './workbench'

/** Reads over all workspaces of a workbench, where entities of columns are documents too, and how many there were. */
export function countedSystem(bench: Workbench) {
  const counted = { reads: 0 }
  const rows = ((entity: Parameters<SystemReads['rows']>[0]) => {
    const collection = bench.collection(entity)
    return {
      async daySums(query: DaySumsQuery) {
        counted.reads++
        return (await collection.daySums?.read(query)) ?? []
      },
      group(query: Parameters<typeof collection.group>[0]) {
        counted.reads++
        return collection.group(query)
      },
      list(query: Parameters<typeof collection.find>[0]) {
        counted.reads++
        return collection.find(query)
      },
    }
  }) as unknown as SystemReads['rows']
  return { counted, system: { rows, now: () => bench.now } }
}
