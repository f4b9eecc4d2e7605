import type { AnyEntity } from '../contracts/entity'
import type { ColumnsStore } from '../stores/columns/port'
import { columnRows } from '../stores/columns/rows'
import type { Collection, Documents } from '../stores/documents/port'

/** What reading asks of a store, whichever it is. */
export type Reader = Pick<Collection, 'get' | 'find' | 'findJson' | 'count' | 'group' | 'examined'>

/** Where an entity's rows are: documents can be written through the gate, column rows only read. */
export interface Sources {
  reader(entity: AnyEntity): Reader
  collection(entity: AnyEntity): Collection
}

export function createSources(documents: Documents, columns: ColumnsStore): Sources {
  const readers = new WeakMap<AnyEntity, Reader>()
  const collection = (entity: AnyEntity) => {
    if (entity.store !== 'documents')
      throw new Error(`${entity.name} is served from columns: its plugin's job writes it`)
    return documents.collection(entity)
  }
  const reader = (entity: AnyEntity) => {
    const known = readers.get(entity)
    if (known) return known
    const made = entity.store === 'columns' ? columnRows(columns, entity) : documents.collection(entity)
    readers.set(entity, made)
    return made
  }
  return { reader, collection }
}
