import type { OwnerContext } from '../../../../core/contracts/plugin'
import { withoutTransactions } from './without-transactions'

/** A process that dies at its n-th write, over a store without transactions. */
export function dying(writes: number): (owner: OwnerContext) => OwnerContext {
  let left = writes
  const die = () => {
    if (left-- <= 0) throw new Error('killed')
  }
  return (owner) =>
    withoutTransactions({
      ...owner,
      rows: (entity) => {
        const own = owner.rows(entity)
        return {
          ...own,
          insert: async (...given) => {
            die()
            return own.insert(...given)
          },
          update: async (...given) => {
            die()
            return own.update(...given)
          },
          updateMany: async (...given) => {
            die()
            return own.updateMany(...given)
          },
        }
      },
    })
}
