import type { AnyEntity } from '../contracts/entity'
import type { ColumnsStore } from '../stores/columns/port'
import { columnRows, narrowingColumns } from '../stores/columns/rows'
import { narrowingFields } from '../stores/documents/indexes'
import type { Collection, Documents } from '../stores/documents/port'
import { cachedDocuments } from '../stores/documents/read-cache'

/** The read methods that every store has. */
export type Reader = Pick<
  Collection,
  | 'get'
  | 'find'
  | 'findJoined'
  | 'findJson'
  | 'prepareList'
  | 'count'
  | 'group'
  | 'groupEntries'
  | 'daySums'
  | 'examined'
  | 'version'
>

/** Where an entity's rows are stored: documents can be written through the gateway, column rows can only be read. */
export interface Sources {
  /** The running product. Contexts of requests and of the system show the same object. */
  readonly product: object
  reader(entity: AnyEntity): Reader
  collection<E extends AnyEntity>(entity: E): Collection<E>
  /** Returns the visible fields that can narrow a filter that is too broad. */
  narrowing(entity: AnyEntity): readonly string[]
}

/** Creates the sources of a product. Without `product` they belong to a product of their own. */
export function createSources(
  documents: Documents,
  columns: ColumnsStore,
  product: object = Object.freeze({}),
): Sources {
  const readers = new WeakMap<AnyEntity, Reader>()
  const collection: Sources['collection'] = (entity) => {
    if (entity.store !== 'documents')
      throw new Error(`${entity.name} is stored in columns: only its plugin's job writes it`)
    return documents.collection(entity)
  }
  const reader = (entity: AnyEntity) => {
    const known = readers.get(entity)
    if (known) return known
    const made = entity.store === 'columns' ? columnRows(columns, entity) : documents.collection(entity)
    // All operations read the workspace that they are called in.
    const kept = entity.scope.by === 'self' ? { ...made, get: cachedDocuments(made) } : made
    readers.set(entity, kept)
    return kept
  }
  const narrowing = (entity: AnyEntity) =>
    entity.store === 'columns' ? narrowingColumns(columns, entity) : ['id', ...narrowingFields(entity)]
  return { product, reader, collection, narrowing }
}
