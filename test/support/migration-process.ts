import { ownerContext } from '../../core/contexts/owner'
import type { AnyEntity } from '../../core/contracts/entity'
import { everything } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { definePlugin } from '../../core/kit'
import { migrate } from '../../core/product/migrate'
import { createRegistry } from '../../core/registry/registry'
import type { ColumnsStore } from '../../core/stores/columns/port'
import type { Documents } from '../../core/stores/documents/port'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { quietLog as log } from './quiet-log'
import { CountedSample } from './sample-entity'

/**
 * Migrates a database of the test in three steps, and kills itself before a write. Arguments: the file, and the number of the
 * write before which it ends (0: none). Prints the number of writes.
 */
const [, , path = '', last = '0'] = process.argv
const now = () => new Date('2026-11-29T10:00:00Z')
const documents = await openSqlite({ path, now, log })
let writes = 0
const dying =
  <A extends unknown[], R>(write: (...given: A) => R) =>
  (...given: A): R => {
    if (++writes === Number(last)) process.kill(process.pid, 'SIGKILL')
    return write(...given)
  }
const store: Documents = {
  ...documents,
  collection: ((entity: AnyEntity) => {
    const whole = documents.collection(entity)
    return {
      ...whole,
      insert: dying(whole.insert),
      updateOne: dying(whole.updateOne),
      updateMany: dying(whole.updateMany),
      remove: dying(whole.remove),
    }
  }) as Documents['collection'],
}
const steps = [1, 2, 3].map((version) => ({
  version,
  summary: `kinds of step ${version}`,
  up: async ({ rows }: { rows: ReturnType<typeof ownerContext>['rows'] }) => {
    for await (const { id, kind } of rows(CountedSample).each({ where: everything }))
      if (!String(kind).includes(`s${version}`))
        await rows(CountedSample).update(id, { kind: `${kind ?? ''}s${version}` })
  },
}))
const registry = createRegistry([
  definePlugin({ name: 'samples', renown: '^1.0.0', entities: [CountedSample], migrations: steps }),
])
await documents.ensure([CountedSample])
const owner = ownerContext({
  registry,
  documents: store,
  columns: {} as ColumnsStore,
  clock: { now },
  log,
  onChanged: () => {},
})
// As the product does, which holds the lock of the folder: whoever held a lease has ended.
await freeLeases(documents)
await migrate({ registry, documents: store, owner, clock: { now }, log })
process.stdout.write(`${writes}\n`)
await documents.close()
