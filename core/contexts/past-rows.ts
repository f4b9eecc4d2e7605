import type { AnyEntity } from '../contracts/entity'
import type { OwnerContext, OwnerRows } from '../contracts/plugin'

/** Inserts rows that are in any state of their machines. */
type InsertPast = (entity: AnyEntity, rows: PastRows) => Promise<number>
type PastRows = Parameters<OwnerRows<AnyEntity>['insertMany']>[0]

const inserters = new WeakMap<object, InsertPast>()

/** Records how to insert rows of a system context without their state machines. */
export const notePast = (rows: OwnerContext['rows'], insert: InsertPast): void => {
  inserters.set(rows, insert)
}

/**
 * Inserts rows with past dates, in any state. Only for rows that core creates or restores, such as those of
 * the demo. Plugins do not import this, and their `insertMany` checks every row.
 */
export function insertPast(
  rows: OwnerContext['rows'],
  entity: AnyEntity,
  list: readonly object[],
): Promise<number> {
  const insert = inserters.get(rows)
  if (!insert) throw new Error('Only an unchanged system context can insert rows with past dates.')
  // Demos declare their rows without the type of their entity. Each row is checked when it is stored.
  const typed = list as PastRows
  return insert(entity, typed)
}
