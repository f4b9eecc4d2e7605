import { insertPast } from '../../core/contexts/past-rows'
import type { AnyEntity, NewRow, Row } from '../../core/contracts/entity'
import type { OwnerContext } from '../../core/contracts/plugin'
import { where } from '../../core/contracts/where'
import { anyRows, type Collection } from '../../core/stores/documents/port'

/** Puts a row with a past into the store: in any state that its entity has. */
export async function putRow<E extends AnyEntity>(
  owner: OwnerContext,
  entity: E,
  row: NewRow<E> & { readonly workspace_id: string; readonly created_date?: string },
): Promise<Row<E>> {
  const id = row.id ?? owner.newId(entity)
  const past = { created_date: owner.now().toISOString(), ...row, id }
  await insertPast(owner.rows, entity, [past])
  return (await owner.rows(entity).get(id)) as Row<E>
}

/** Changes a stored row past its state machines. `undefined` removes a field. */
export async function setRow<E extends AnyEntity>(
  collection: Collection<E>,
  id: string,
  changes: object,
): Promise<void> {
  const all = Object.entries(changes)
  await anyRows(collection).updateOne(where.eq('id', id), {
    set: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
    unset: all.filter(([, value]) => value === undefined).map(([name]) => name),
  })
}
