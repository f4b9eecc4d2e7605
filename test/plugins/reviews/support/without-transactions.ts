import type { OwnerContext, WriteBatch } from '../../../../core/contracts/owner'

/** The system context over a store without transactions: writes that belong together are stored one after the other. */
export function withoutTransactions(owner: OwnerContext): OwnerContext {
  return {
    ...owner,
    hasTransactions: false,
    async writeTogether(collect) {
      const writes: (() => Promise<unknown>)[] = []
      const dates = { created_date: owner.now().toISOString(), updated_date: owner.now().toISOString() }
      const batch: WriteBatch = {
        insert(entity, row) {
          const made = { id: owner.newId(entity), ...row }
          writes.push(() => owner.rows(entity).insert(made))
          return { ...made, ...dates } as never
        },
        update: (entity, id, changes) => void writes.push(() => owner.rows(entity).update(id, changes)),
      }
      collect(batch)
      for (const write of writes) await write()
    },
  }
}
