import { ownerContext } from '../../core/contexts/owner'
import type { OwnerContext } from '../../core/contracts/plugin'
import type { Registry } from '../../core/registry/registry'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { openSqlite } from '../../core/stores/documents/sqlite/index'
import { quietLog as log } from './quiet-log'

/** Works on a product's documents in a file, while no process of it does. */
export async function inStore<T>(
  { path, registry, now }: { readonly path: string; readonly registry: Registry; readonly now: () => Date },
  work: (owner: OwnerContext) => Promise<T>,
): Promise<T> {
  const documents = await openSqlite({ path, now, log })
  await documents.ensure([...registry.entities.values()].filter(({ store }) => store === 'documents'))
  const owner = ownerContext({
    registry,
    documents,
    columns: {} as ColumnsStore,
    clock: { now },
    log,
    onChanged: () => {},
  })
  try {
    return await work(owner)
  } finally {
    await documents.close()
  }
}
