import type { AnyEntity, NewRow, Row, RowChanges } from '../contracts/entity'
import type { OwnerContext, WriteBatch } from '../contracts/owner'
import { where } from '../contracts/where'
import type { Clock } from '../process/clock'
import type { Registry } from '../registry/registry'
import { anyRows, type Documents, type TogetherWrite } from '../stores/documents/port'
import { changesOf, conflictOf, newDocument } from '../stores/documents/row-writes'
import { resolve } from './context'
import { checkInitial, machinesOf, moveCondition } from './state-guard'

interface TogetherDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly clock: Clock
}

/** Creates the writes of the system context that are stored together, and says whether that is all or nothing. */
export function createTogether({
  registry,
  documents,
  clock,
}: TogetherDeps): Pick<OwnerContext, 'writeTogether' | 'hasTransactions'> {
  return {
    hasTransactions: documents.together !== undefined,
    async writeTogether(collect) {
      const writes: TogetherWrite[] = []
      collect(batchOf(writes, registry, clock))
      if (writes.length === 0) return
      await conflictOf(() => (documents.together ?? inOrder(documents))(writes))
    },
  }
}

function batchOf(writes: TogetherWrite[], registry: Registry, clock: Clock): WriteBatch {
  const own = (entity: AnyEntity) => {
    const target = resolve(registry, entity)
    if (entity !== target && !registry.isDeclared(entity))
      throw new Error(`${entity.name} belongs to another plugin and is not written together`)
    return { target, machines: machinesOf(registry, target.name) }
  }
  return {
    insert<E extends AnyEntity>(entity: E, row: NewRow<E> & { readonly workspace_id: string }): Row<E> {
      const { target, machines } = own(entity)
      const document = newDocument(target, row, row.workspace_id, clock.now())
      checkInitial(machines, document)
      writes.push({ entity: target, insert: document })
      return document as unknown as Row<E>
    },
    update<E extends AnyEntity>(entity: E, id: string, changes: RowChanges<E>): void {
      const { target, machines } = own(entity)
      const patch = changesOf(target, changes, clock.now())
      const unmoved = moveCondition(machines, changes as Readonly<Record<string, unknown>>)
      writes.push({ entity: target, where: where.and(where.eq('id', id), unmoved), patch })
    },
  }
}

/** For stores without transactions. */
const inOrder = (documents: Documents) => async (writes: readonly TogetherWrite[]) => {
  for (const write of writes) {
    const collection = anyRows(documents.collection(write.entity))
    if ('insert' in write) await collection.insert(write.insert)
    else await collection.updateOne(write.where, write.patch)
  }
}
